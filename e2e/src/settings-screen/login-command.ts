import { execFileSync } from "node:child_process";

/** The request that the login command would send, found by running it in a real shell without curl. */
export async function jsonOfLogin(command: string, username: string, password: string): Promise<unknown> {
  const [script = ""] = command.split("| curl");
  const output = execFileSync("sh", ["-c", script], {
    input: `${username}\n${password}\n`,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });
  return JSON.parse(output);
}
