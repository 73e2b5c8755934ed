import fc from "fast-check";

const { testSeed } = globalThis as { readonly testSeed?: number };
if (testSeed === undefined) throw new Error("jest.config.mjs must set testSeed");

/** Properties are tested from a pinned seed. A failure prints it with the path of the counterexample. */
fc.configureGlobal({ seed: testSeed });

export { fc };
