import { once } from "node:events";
import { connect } from "node:net";
import type { Cluster } from "../server/cluster.ts";

/** Empties Redis without closing connections. */
export const flushRedis = async ({ redis, passwords }: Cluster): Promise<void> => {
  const socket = connect(redis.port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  socket.end(`AUTH tests ${passwords.redis}\r\nFLUSHALL\r\nQUIT\r\n`);
  await once(socket, "close");
  if (answer.split("\r\n").filter((line) => line === "+OK").length < 2)
    throw new Error(`Redis said ${answer}`);
};
