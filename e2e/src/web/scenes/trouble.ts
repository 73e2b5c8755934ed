import { addSignalServer, joinListed } from "../account-pages.ts";
import { GARDEN } from "../neighbours.ts";
import type { Scene } from "./scene.ts";

const RADIO = "Radio makers";

/** A second instance: its directory, joining there, and the account created for it. */
export async function elsewhere({ camera, world, device, people: { mara, ben } }: Scene): Promise<void> {
  const otto = await (await device()).open("/register", world.server(1));
  await otto.register("otto", { displayName: "Otto Brandt" });
  await otto.createRoom(RADIO);
  await otto.say("The tubes are warm. Who is on air tonight?");
  for (const room of ["Sunday cyclists", "Board games at Ben’s"]) {
    await ben.tab.go("/");
    await ben.tab.createRoom(room);
  }
  await mara.tab.go("/directory");
  await mara.tab
    .button(/^(Join|Open) Sunday cyclists/)
    .first()
    .waitFor();
  await camera.take(mara.tab, "directory");
  await addSignalServer(mara.tab, world.server(1).url);
  await camera.take(mara.tab, "directory-elsewhere");
  await joinListed(mara.tab, RADIO);
  await mara.tab.page.getByText("Hearth created an account for you").waitFor();
  await camera.take(mara.tab, "provisioned");
  await mara.tab.button("Got it").click();

  const { tab } = ben;
  await tab.go(`/login?mode=authorize&serverId=${encodeURIComponent(world.server(1).url)}&returnUrl=%2F`);
  await tab.button(/Continue as/).waitFor();
  await camera.take(tab, "authorize");
}

/** Connections, sessions and memberships that end. */
export async function inTrouble({ camera, world, device, people }: Scene): Promise<void> {
  const { mara, ben, tomo } = people;
  const { tab } = mara;
  await tab.enterRoom(GARDEN);
  await mara.device.context.setOffline(true);
  await tab.page.getByText("This device is offline.").waitFor();
  await tab.say("Does anybody hear me?");
  await camera.take(tab, "offline");
  await mara.device.context.setOffline(false);
  await tab.page.getByText("This device is offline.").waitFor({ state: "detached" });

  await tab.button("Menu for Tomo Hayashi").click();
  await tab.page.getByRole("menuitem", { name: "Ban…" }).click();
  await tab.page
    .getByRole("alertdialog")
    .or(tab.page.getByRole("dialog"))
    .getByRole("button", { name: "Ban" })
    .click();
  await tomo.tab.page.getByText(`You were banned from ${GARDEN}.`).last().waitFor();
  await camera.take(tomo.tab, "banned");

  const second = await (await device()).open("/login", world.home);
  await second.signIn("ben");
  await second.enterRoom(GARDEN);
  await ben.tab.go("/settings/devices");
  await ben.tab
    .button(/^Sign out .+ on /)
    .first()
    .click();
  await second.page.getByText("You were signed out").waitFor();
  await camera.take(second, "session-ended");
}
