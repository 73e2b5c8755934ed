import { credentialSchema, LIMITS, serverSchema } from "@hearth/contracts";
import type { Credential } from "@hearth/contracts";
import { ramp } from "../wire/ramp.ts";
import type { RestClient } from "./rest-client.ts";

export const PASSWORD = "correct horse battery staple";

/** Fewer than one address may register in a window. */
const PER_ADDRESS = LIMITS.authAttempts.points - 10;

/** All of the same length, so that all frames of one kind have one size. */
export const usernameOf = (index: number): string => `bench-${String(index).padStart(5, "0")}`;

/** Registers accounts from as many addresses as needed; each has an open session. */
export const registerAccounts = (rest: RestClient, count: number): Promise<Credential[]> =>
  ramp(count, async (index) =>
    credentialSchema.parse(
      await rest.expect(201, {
        method: "POST",
        path: "/api/users/register",
        body: { username: usernameOf(index), password: PASSWORD },
        from: Math.floor(index / PER_ADDRESS),
      }),
    ),
  );

/** Creates a public server of this owner, and returns its id. */
export async function createServer(rest: RestClient, owner: Credential): Promise<string> {
  const body = await rest.expect(201, {
    method: "POST",
    path: "/api/servers",
    token: owner.token,
    body: { name: "Bench" },
  });
  return serverSchema.parse(body).id;
}

/** Makes these accounts members, so that later joins are those of returning members. */
export async function joinServer(
  rest: RestClient,
  serverId: string,
  members: readonly Credential[],
): Promise<void> {
  await ramp(members.length, async (index) => {
    const token = members[index]?.token ?? "";
    await rest.expect(200, { method: "POST", path: `/api/servers/${serverId}/join`, token, body: {} });
  });
}
