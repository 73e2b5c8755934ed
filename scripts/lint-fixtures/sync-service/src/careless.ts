import { Id } from "@hearth/contracts";

type Door = "plain" | "socket.io";

async function knock(door: Door): Promise<number> {
  switch (door) {
    case "plain":
      return 1;
  }
  return 2;
}

export function careless(id: Id | undefined, body: any): string {
  knock("plain");
  [1].forEach(async () => knock("socket.io"));
  console.log(body);
  return id!;
}

export default careless;
