/** Asks again until it is so, for what the server gathers in the background. */
export const eventually = async (patienceMs: number, look: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`not so within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
