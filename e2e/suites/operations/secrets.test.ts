import { readdirSync, readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { freshName, PASSWORD } from "../../src/client/index.ts";
import { logLines } from "../../src/expectations/log-lines.ts";
import { sendSecretsOverRest } from "../../src/secrets/rest.ts";
import { sendSecretsOverSockets } from "../../src/secrets/sockets.ts";
import { MARK, secret, SecretSender } from "../../src/secrets/secret-sender.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const server = serverForTests({ env: { LOG_LEVEL: "debug" } });

const told = new SecretSender(server);

describe("secrets", () => {
  it("ER1 S9 no log line, metric or error contains a password, a token or a message text", async () => {
    const password = secret("password");
    const account = await told.enrol(freshName("story"), password);
    const sibling = await told.enrol(freshName("story"), secret("password"));
    await sendSecretsOverRest(told, account, password);
    await sendSecretsOverSockets(told, account, sibling);
    await told.say("POST", "/api/users/logout", { token: account.token });
    await told.say("GET", "/api/users/me", { token: account.token });
    const { text: metrics } = await metricsOf(server);
    const output = server.output();
    expect(logLines(output).length).toBeGreaterThan(15);
    expect(told.bodies.length).toBeGreaterThan(30);
    for (const [where, text] of Object.entries({ output, metrics, bodies: told.bodies.join("\n") })) {
      for (const word of [MARK, ...told.tokens]) {
        const at = text.indexOf(word);
        expect([where, at < 0 ? "" : text.slice(Math.max(0, at - 200), at + 100)]).toEqual([where, ""]);
      }
    }
  }, 60_000);

  it("ER1 S9 every log line is one JSON object, whatever a name contains", () => {
    const [banner, ...rest] = server.output().split(/^(?=\{)/m);
    expect(banner).not.toContain(MARK);
    for (const line of rest.flatMap((part) => part.split("\n")).filter((each) => each.startsWith("{"))) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), name: expect.any(String) });
    }
    expect(logLines(server.output()).filter(({ level }) => level >= 60)).toEqual([]);
  });

  it("AU4 S7 no file of the server contains a token or a password", async () => {
    const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => joinPath(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const bytes = readFileSync(file).toString("latin1");
      for (const word of [...told.tokens, `${MARK}-password`, PASSWORD])
        expect([file, bytes.includes(word)]).toEqual([file, false]);
    }
  });
});
