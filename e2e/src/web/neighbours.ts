import type { Device, WebWorld } from "./web-world.ts";
import type { Tab } from "./tab.ts";

/** A user of the story with their devices. */
export interface Neighbour {
  readonly device: Device;
  readonly tab: Tab;
}

export interface Neighbours {
  readonly mara: Neighbour;
  readonly ben: Neighbour;
  readonly ines: Neighbour;
  readonly tomo: Neighbour;
}

export const GARDEN = "Harbour garden";

const SCRIPT = `The valve listens to this now:

\`\`\`js
const thirst = (moisture, rain) => (rain > 4 ? 0 : 60 - moisture);
bed.water(thirst(await soil.read(), forecast.mm));
\`\`\`
No more floods, I *promise*.`;

async function arrive(world: WebWorld, device: Device, username: string, shown: string): Promise<Neighbour> {
  const tab = await device.open("/register", world.home);
  await tab.register(username, { displayName: shown });
  return { device, tab };
}

/** Adds a text channel to the open server. */
async function addChannels(tab: Tab, room: string, names: readonly string[]): Promise<void> {
  await tab.chooseForRoom(room, "Server settings");
  const dialog = tab.page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Channels" }).click();
  // Two exist from the start.
  for (const [index, name] of names.entries()) {
    await dialog.getByRole("button", { name: "Add text channel" }).click();
    await dialog.getByLabel(`Name of channel ${index + 3}`).fill(name);
  }
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Saved.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
}

async function talk({ mara, ben, ines, tomo }: Neighbours): Promise<void> {
  await mara.tab.say("Morning all. The **tomatoes** by the quay wall have their first flowers");
  await mara.tab.say("Who has the key to the shed this week?");
  await ben.tab.sees("Who has the key");
  await ben.tab.answer("Who has the key", "Me. It hangs behind the _blue_ door again, left of the hose.");
  await ines.tab.sees("behind the blue door");
  await ines.tab.react("have their first flowers", "❤️");
  await tomo.tab.react("have their first flowers", "❤️");
  await ben.tab.react("have their first flowers", "😂");
  await ines.tab.say(
    "For Saturday I would bring:\n\n- two trays of basil\n- the long table\n- a kettle, of course",
  );
  await tomo.tab.sees("two trays of basil");
  await tomo.tab.answer("two trays of basil", "Then I bring bread. And @Mara Lind, is the grill back?");
  await tomo.tab.say(SCRIPT);
  await mara.tab.sees("No more floods");
  await mara.tab.react("No more floods", "👍");
  await ben.tab.react("No more floods", "👍");
  await mara.tab.say(
    "> is the grill back?\n\nIt is, scrubbed and all. Plans are at https://garden.example.org/saturday",
  );
  await ines.tab.sees("scrubbed and all");
  await ines.tab.say("You are the best. `10:30` then?");
  await mara.tab.sees("You are the best");
}

/** Four users of the first instance, and their messages in the garden. */
export async function gather(world: WebWorld, devices: readonly Device[]): Promise<Neighbours> {
  const [first, second, third, fourth] = devices;
  if (!first || !second || !third || !fourth) throw new Error("Four people need four devices");
  const mara = await arrive(world, first, "mara", "Mara Lind");
  await mara.tab.createRoom(GARDEN);
  await addChannels(mara.tab, GARDEN, ["seeds-and-swaps", "saturday", "tool-shed"]);
  const ben = await arrive(world, second, "ben", "Ben Okoro");
  const ines = await arrive(world, third, "ines", "Ines Duarte");
  const tomo = await arrive(world, fourth, "tomo", "Tomo Hayashi");
  for (const { tab } of [ben, ines, tomo]) await tab.findAndJoin(GARDEN);
  const all = { mara, ben, ines, tomo };
  await talk(all);
  return all;
}
