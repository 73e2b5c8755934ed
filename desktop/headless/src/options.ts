import { parseArgs } from "node:util";
import type { LocalApiSettings } from "@hearth/device";
import { normaliseServerUrl } from "@hearth/device";

/** The parsed command line. */
export interface HeadlessOptions {
  /** `undefined` if not given. */
  readonly dataDir: string | undefined;
  readonly sample: boolean;
  /** Override the settings of the data folder for this run, and are never written. */
  readonly overrides: Partial<LocalApiSettings>;
}

export type CommandLine =
  | { readonly kind: "help" }
  | { readonly kind: "run"; readonly options: HeadlessOptions }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export const HELP = `Runs the local API of the desktop app without a window. Press Ctrl-C to stop it.

  npm run desktop:headless -- [options]

  --data-dir DIR       folder with the device's data; default data/desktop, with --sample data/desktop-sample
  --port N             port to listen on, 0 for a free one; default 17878
  --allow URL          allows an instance to confirm logins; can be repeated
  --docs               serves the API reference at /docs
  --static-docs        serves the handbook at /static-docs
  --lan                lets other computers on the network connect
  --sample             fills an empty data folder with a year of sample chat, and prints a request to try
  --help               prints this text

For options that you leave out, the program uses the folder's settings file, local-api.json. --no-docs, --no-static-docs and
--no-lan turn off what that file turns on, and --allow replaces its list of instances. The program never changes the file.
`;

const switches = {
  docs: "referenceDocsEnabled",
  "static-docs": "staticDocsEnabled",
  lan: "exposeOnLan",
} as const satisfies Record<string, keyof LocalApiSettings>;

const flags = [
  "sample",
  "help",
  ...Object.keys(switches),
  ...Object.keys(switches).map((name) => `no-${name}`),
];
const valued = ["data-dir", "port", "allow"];

interface Said {
  readonly name: string;
  readonly value: string;
}

function tokensOf(argv: readonly string[]) {
  const options: Record<string, { type: "boolean" | "string" }> = {};
  for (const name of flags) options[name] = { type: "boolean" };
  for (const name of valued) options[name] = { type: "string" };
  return parseArgs({ args: [...argv], options, strict: false, tokens: true }).tokens;
}

type Token = ReturnType<typeof tokensOf>[number];

/** The meaning of one argument, or what is wrong with it. */
function meaningOf(token: Token): Said | string | undefined {
  if (token.kind === "positional") return `"${token.value}" does not belong to an option`;
  if (token.kind !== "option") return undefined;
  const { name, rawName, value, inlineValue } = token;
  if (flags.includes(name)) return inlineValue ? `${rawName} takes no value` : { name, value: "" };
  if (!valued.includes(name)) return `${rawName} is not an option`;
  const isNext = !inlineValue && value?.startsWith("-");
  return value && !isNext ? { name, value } : `${rawName} needs a value`;
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;

class Sayings {
  readonly #said: readonly Said[];

  constructor(said: readonly Said[]) {
    this.#said = said;
  }

  has(name: string): boolean {
    return this.#said.some((option) => option.name === name);
  }

  all(name: string): readonly string[] {
    return this.#said.filter((option) => option.name === name).map(({ value }) => value);
  }
}

function problemsOf(said: Sayings): readonly string[] {
  const twice = ["data-dir", "port"].filter((name) => said.all(name).length > 1);
  const ports = said.all("port").filter((text) => !isPort(text));
  const torn = Object.keys(switches).filter((name) => said.has(name) && said.has(`no-${name}`));
  const urls = said.all("allow").map((url) => ({ url, checked: normaliseServerUrl(url) }));
  return [
    ...twice.map((name) => `--${name} can be given only once`),
    ...ports.map((text) => `--port ${text} must be a whole number from 0 to 65535`),
    ...urls.flatMap(({ url, checked }) => (checked.ok ? [] : [`--allow ${url}: ${checked.reason}`])),
    ...torn.map((name) => `--${name} and --no-${name} contradict each other`),
  ];
}

function overridesOf(said: Sayings): Partial<LocalApiSettings> {
  const [port] = said.all("port");
  const allowed = said.all("allow").map(normaliseServerUrl);
  const urls = allowed.flatMap((checked) => (checked.ok ? [checked.url] : []));
  const turned = Object.entries(switches)
    .filter(([name]) => said.has(name) || said.has(`no-${name}`))
    .map(([name, setting]) => [setting, said.has(name)] as const);
  return {
    ...(port !== undefined && { port: Number(port) }),
    ...(urls.length > 0 && { allowedSignalingServers: [...new Set(urls)] }),
    ...Object.fromEntries(turned),
  };
}

/** Parses the command line and reports all problems at once. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const meanings = tokensOf(argv).map(meaningOf);
  const said = new Sayings(meanings.filter((meaning) => typeof meaning === "object"));
  if (said.has("help")) return { kind: "help" };
  const unclear = meanings.filter((meaning) => typeof meaning === "string");
  const problems = [...unclear, ...problemsOf(said)];
  if (problems.length > 0) return { kind: "invalid", problems };
  const [dataDir] = said.all("data-dir");
  return { kind: "run", options: { dataDir, sample: said.has("sample"), overrides: overridesOf(said) } };
}
