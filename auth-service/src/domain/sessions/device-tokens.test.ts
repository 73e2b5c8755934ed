import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { deviceTokenSchema } from "@hearth/contracts";
import type { DeviceToken } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { startAuth } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";

let auth: RunningAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.stop());

const pathOf = (userId: string, deviceId = "") =>
  `/api/users/device-tokens/${userId}${deviceId === "" ? "" : `/${deviceId}`}`;
const body = { platform: "android", token: "push me" };

describe("device tokens", () => {
  it("AU7 are stored, listed and deleted by their user", async () => {
    const { id, token } = await auth.register("ada");
    const put = await auth.send<DeviceToken>("PUT", pathOf(id, "phone:1"), { token, body });
    expect(put.status).toBe(200);
    expect(deviceTokenSchema.parse(put.body)).toEqual({
      ...body,
      deviceId: "phone:1",
      updatedAt: auth.clock.now(),
    });
    const list = async () => (await auth.send<DeviceToken[]>("GET", pathOf(id), { token })).body;
    expect(await list()).toEqual([put.body]);
    await auth.send("PUT", pathOf(id, "phone:1"), { token, body: { ...body, token: "or me" } });
    expect(await list()).toEqual([{ ...put.body, token: "or me" }]);
    expect((await auth.send("DELETE", pathOf(id, "phone:1"), { token })).status).toBe(204);
    expect((await auth.send("DELETE", pathOf(id, "phone:1"), { token })).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it("AU7 are 403 for every other user, whether there is one or not (R24, S11)", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    await auth.send("PUT", pathOf(bob.id, "phone"), { token: bob.token, body });
    const { token } = ada;
    for (const other of [bob.id, newId()])
      for (const answer of [
        await auth.send("GET", pathOf(other), { token }),
        await auth.send("PUT", pathOf(other, "phone"), { token, body }),
        await auth.send("DELETE", pathOf(other, "phone"), { token }),
      ])
        expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    const bobs = await auth.send<DeviceToken[]>("GET", pathOf(bob.id), { token: bob.token });
    expect(bobs.body).toMatchObject([{ token: "push me" }]);
    expect((await auth.send("GET", pathOf(ada.id.toUpperCase()), { token })).status).toBe(200);
  });

  it("AU7 a body that names another user does not change the owner of the token (R13)", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    const named = { ...body, userId: bob.id, authUserId: bob.id, sessionId: newId() };
    await auth.send("PUT", pathOf(ada.id, "phone"), { token: ada.token, body: named });
    expect((await auth.send<DeviceToken[]>("GET", pathOf(bob.id), { token: bob.token })).body).toEqual([]);
  });

  it("AU7 end with the session that stored them, so that a lost phone gets no more pushes", async () => {
    const { id, token } = await auth.register("ada");
    const phone = (await auth.login("ada")).body.token;
    await auth.send("PUT", pathOf(id, "phone"), { token: phone, body });
    await auth.send("PUT", pathOf(id, "laptop"), { token, body });
    await auth.send("DELETE", `/api/users/sessions/${await auth.sessionOf(phone)}`, { token });
    const { body: left } = await auth.send<DeviceToken[]>("GET", pathOf(id), { token });
    expect(left.map(({ deviceId }) => deviceId)).toEqual(["laptop"]);
  });

  it("AB4 a 17th device token is refused with the name of the quota; a known device is still updated", async () => {
    const { id, token } = await auth.register("ada");
    const jwt = await auth.jwtOf(token);
    const put = (device: string) => auth.send("PUT", pathOf(id, device), { jwt, body });
    for (let n = 0; n < 16; n += 1) expect((await put(`device-${n}`)).status).toBe(200);
    expect(await put("one-more")).toMatchObject({
      status: 403,
      body: { code: "QUOTA_EXCEEDED", reason: "device_tokens" },
    });
    expect((await put("device-7")).status).toBe(200);
  });

  it.each([
    ["a user that is no id", "PUT", pathOf("ada", "phone"), body],
    ["a platform nobody knows", "PUT", pathOf(newId(), "phone"), { ...body, platform: "toaster" }],
    ["no token", "PUT", pathOf(newId(), "phone"), { platform: "web" }],
    ["a token of 4097 characters", "PUT", pathOf(newId(), "phone"), { ...body, token: "x".repeat(4097) }],
    ["a device with a space", "PUT", pathOf(newId(), "my%20phone"), body],
    ["a device of 129 characters", "DELETE", pathOf(newId(), "x".repeat(129)), undefined],
    ["an encoded path", "DELETE", pathOf(newId(), "%2e%2e%2fme"), undefined],
    ["a NUL", "DELETE", pathOf(newId(), "%00"), undefined],
    ["a broken escape", "DELETE", pathOf(newId(), "%E0%A4%A"), undefined],
  ])("AU7 refuses what makes no sense (R25): %s", async (_name, method, path, sent) => {
    const { token } = await auth.register("ada");
    const answer = await auth.send(method, path, { token, ...(sent && { body: sent }) });
    expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } });
  });
});
