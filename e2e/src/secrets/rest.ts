import type { Credential } from "@hearth/contracts";
import { createServer, requestText, sendRaw } from "../client/index.ts";
import { MARK, secret, type SecretSender } from "./secret-sender.ts";

/** Every place of a request that may contain a secret, valid or not. */
export const sendSecretsOverRest = async (
  told: SecretSender,
  { username, id, token }: Credential,
  password: string,
): Promise<void> => {
  const next = secret("password");
  await told.say("POST", "/api/users/login", { body: { username, password: secret("guess") } });
  await told.say("POST", "/api/users/login", { body: { username, password, extra: secret("password") } });
  await told.say("POST", "/api/users/register", { body: { username, password: secret("password") } });
  await told.say("POST", "/api/users/register", {
    raw: `{"username":"x","password":"${secret("password")}`,
    headers: { "content-type": "application/json" },
  });
  await told.say("POST", "/api/users/login", {
    body: { username: `${MARK}\r\n{"level":60}`, password: secret("p") },
  });
  await told.say("POST", "/api/users/password", {
    token,
    body: { currentPassword: password, newPassword: next },
  });
  await told.say("POST", "/api/users/password", {
    token,
    body: { currentPassword: secret("guess"), newPassword: "x" },
  });
  await told.say("DELETE", "/api/users/sessions", { token, body: { currentPassword: secret("guess") } });
  await told.say("PUT", `/api/users/device-tokens/${id}/phone`, {
    token,
    body: { platform: "web", token: secret("push") },
  });
  await told.say("PUT", `/api/users/device-tokens/${id}/phone`, {
    token,
    body: { platform: "fax", token: secret("push") },
  });
  await told.say("GET", `/api/users/me?token=${token}&access_token=${secret("token")}`);
  await told.say("GET", "/api/users/me", { token: secret("token") });
  await told.say("GET", `/api/users/me?access_token=${secret("token")}`, { token });
  await told.say("GET", `/api/servers?cursor=${secret("token")}`);
  await told.say("GET", `/api/users/me/${token}`);
  await told.say("GET", "/api/users/me", {
    headers: { authorization: `Basic ${btoa(secret("basic"))}`, cookie: secret("cookie") },
  });
  const room = await createServer(told.server.url, { token }, { name: "Story", visibility: "private" });
  await told.say("POST", `/api/servers/${room.id}/requests`, { token, body: { message: secret("message") } });
  await told.say("PUT", `/api/servers/${room.id}/bans/${crypto.randomUUID()}`, {
    token,
    body: { reason: secret("message") },
  });
  await sendRaw(
    told.server.url,
    requestText(told.server.url, "GET", `/api/users/me`, [
      `Authorization: Bearer ${token}`,
      `Authorization: ${secret("token")}`,
    ]),
  );
};
