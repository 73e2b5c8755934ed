import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { INTERNAL_HEADERS, INTERNAL_PATHS } from "../identity/headers.ts";
import { serve } from "../testing/doubles.ts";
import type { Served } from "../testing/doubles.ts";
import { createInternalDoor } from "./internal-door.ts";

const SECRET = "the-secret-of-this-test";

describe("the door of a service", () => {
  let served: Served;
  let ready = true;
  let reached = 0;
  beforeEach(async () => {
    ready = true;
    reached = 0;
    const { listener } = createInternalDoor({
      secret: SECRET,
      ready: () => ready,
      routes: (_request, response) => {
        reached += 1;
        response.end();
      },
    });
    served = await serve(listener);
  });
  afterEach(() => served.close());

  const ask = (path: string, secret?: string) =>
    fetch(served.url + path, { headers: secret === undefined ? {} : { [INTERNAL_HEADERS.secret]: secret } });

  it("S2 refuses requests without the secret on every path, and does not reveal it", async () => {
    for (const wrong of [undefined, "", "x", `${SECRET}x`, SECRET.slice(1), SECRET.toUpperCase()]) {
      for (const path of ["/api/users/me", INTERNAL_PATHS.ready, "/"]) {
        const response = await ask(path, wrong);
        expect(response.status).toBe(403);
        expect(await response.text()).not.toContain(SECRET);
      }
    }
    expect(reached).toBe(0);
    expect((await ask("/api/users/me", SECRET)).status).toBe(200);
    expect(reached).toBe(1);
  });

  it("F13 reports its readiness, and keeps no connection once it is not ready", async () => {
    expect((await ask(INTERNAL_PATHS.ready, SECRET)).status).toBe(200);
    ready = false;
    const response = await ask(INTERNAL_PATHS.ready, SECRET);
    expect([response.status, response.headers.get("connection")]).toEqual([503, "close"]);
    expect((await ask("/api/users/me", SECRET)).status).toBe(200);
  });
});
