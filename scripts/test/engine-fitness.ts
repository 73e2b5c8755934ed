import { randomBytes } from "node:crypto";

type Docker = (...args: readonly string[]) => Promise<string>;

const IMAGE = "node:24-bookworm-slim";
/** The requirements of docker-compose.yml for every container. */
const HARDENED = [
  ...["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true"],
  ...["--init", "--user", "1000:1000", "--memory", "256m", "--cpus", "1", "--pids-limit", "200"],
];
const PORT_MS = 5_000;
const SERVE = `require("http").createServer((_, answer) => answer.end("here")).listen(8080)`;
const ASK = `const ask = (left) => fetch("http://server:8080").then((r) => r.text()).then(console.log,
  (error) => left > 0 ? setTimeout(ask, 200, left - 1) : console.log(String(error))); ask(25)`;

/** Tries the deployment's requirements on an engine; returns what is missing, or `undefined`. */
export async function whyUnfit(docker: Docker): Promise<string | undefined> {
  const name = `hearth-fitness-${randomBytes(4).toString("hex")}`;
  const node = (script: string, ...options: readonly string[]) =>
    docker("run", ...options, ...HARDENED, IMAGE, "node", "-e", script);
  await docker("network", "create", name);
  try {
    const published = ["--publish", "127.0.0.1::8080", "--network-alias", "server"];
    await node(SERVE, "--detach", "--name", name, "--network", name, ...published);
    if ((await node(ASK, "--rm", "--network", name)) !== "here")
      return "containers of one network cannot reach each other";
    const address = (await docker("port", name, "8080")).split("\n")[0] ?? "";
    const asked = fetch(`http://${address}`, { signal: AbortSignal.timeout(PORT_MS) });
    const heard = await asked.then((answer) => answer.text()).catch(String);
    if (heard !== "here") return "a port of a container cannot be reached";
    const registry = ["run", "--rm", "--network", "host", IMAGE, "npm", "view", "npm", "version"];
    const version = await docker(...registry).catch(() => "");
    return version === "" ? "packages cannot be fetched inside a container" : undefined;
  } finally {
    await docker("rm", "--force", name).catch(() => undefined);
    await docker("network", "rm", name).catch(() => undefined);
  }
}
