import { execFileSync } from "node:child_process";

/** What the login command would send, by running all of it but curl in a real shell. */
export async function jsonOfLogin(command: string, username: string, password: string): Promise<unknown> {
  const [script = ""] = command.split("| curl");
  const output = execFileSync("sh", ["-c", script], {
    input: `${username}\n${password}\n`,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });
  return JSON.parse(output);
}
