import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that sends bytes and reads nothing until it is resumed. */
export const openWithoutReading = async (baseUrl: string, bytes: string | Buffer): Promise<Socket> => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.pause();
  socket.write(bytes);
  return socket;
};
