import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { discoverySubjects } from "@hearth/contracts";
import { type Device, ICONS, SERVER, type Session, World } from "../testing/index.ts";

describe("shared servers", () => {
  let world: World;
  let ada: Session;
  let bob: Session;
  let laptop: Device;
  let friend: Device;
  let asked: number;
  beforeEach(async () => {
    world = new World();
    [ada, bob] = [world.logIn(), world.logIn()];
    [laptop, friend] = [await world.arrive(ada), await world.arrive(bob)];
    asked = 0;
    world.services.before = async (subject) => {
      if (subject === "discovery.shared") asked += 1;
    };
  });
  afterEach(() => world.close());

  const sendIcon = async (): Promise<void> => {
    laptop.say({ ...ICONS[2], toUserId: bob.oderId });
    await world.settle();
  };
  const part = async (): Promise<void> => {
    world.services.strangers.add(`${ada.oderId} ${bob.oderId}`);
    const ended = { serverId: SERVER, userId: bob.oderId, reason: "left" as const };
    await world.bus.publish(discoverySubjects.membershipEnded, ended);
    await world.time.pass(0);
  };

  it("WS10 are remembered briefly; their absence is not", async () => {
    for (let n = 0; n < 5; n++) await sendIcon();
    expect(asked).toBe(1);
    await world.time.pass(11_000);
    world.services.strangers.add(`${ada.oderId} ${bob.oderId}`);
    await sendIcon();
    await sendIcon();
    expect(asked).toBe(3);
    expect(friend.all("server_icon_chunk")).toHaveLength(5);
    expect(laptop.all("error")).toHaveLength(2);
  });

  it("WS10 are requested again after somebody has left a server", async () => {
    await sendIcon();
    await part();
    await sendIcon();
    expect(laptop.last("error")).toMatchObject({ code: "NO_SHARED_SERVER" });
    expect(friend.all("server_icon_chunk")).toHaveLength(1);
  });

  it("WS10 an answer from before somebody left is used once and not kept", async () => {
    world.services.before = () => world.time.sleep(100);
    laptop.say({ ...ICONS[2], toUserId: bob.oderId });
    await world.time.pass(50);
    await part();
    await world.settle();
    await sendIcon();
    expect(laptop.last("error")).toMatchObject({ code: "NO_SHARED_SERVER" });
  });

  it("WS10 a user always shares servers with themselves", async () => {
    const phone = await world.arrive(ada);
    laptop.say({ ...ICONS[2], toUserId: ada.oderId });
    await world.settle();
    expect(phone.all("server_icon_chunk")).toHaveLength(1);
    expect(asked).toBe(0);
  });
});
