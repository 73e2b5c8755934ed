import { createServer } from "node:http";
import bcrypt from "bcrypt";
import { host, port } from "./address.ts";

/** Native bcrypt and nothing else: `/?ms=…&inFlight=…&cost=…` compares for this time and returns the count. */
const password = "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=";

async function compareFor(milliseconds: number, inFlight: number, cost: number): Promise<object> {
  const hash = await bcrypt.hash(password, cost);
  const startedAt = performance.now();
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - startedAt < milliseconds) {
      if (!(await bcrypt.compare(password, hash))) throw new Error("A right password was refused");
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return { done, seconds: (performance.now() - startedAt) / 1000 };
}

createServer((request, response) => {
  const asked = new URL(request.url ?? "/", "http://peer").searchParams;
  compareFor(Number(asked.get("ms")), Number(asked.get("inFlight")), Number(asked.get("cost"))).then(
    (answer) => response.end(JSON.stringify(answer)),
    () => response.writeHead(500).end(),
  );
}).listen(port, host);
