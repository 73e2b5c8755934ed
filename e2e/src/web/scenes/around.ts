import { DESKTOP, PHONE, TABLET } from "../camera.ts";
import { GARDEN } from "../neighbours.ts";
import type { Scene } from "./scene.ts";
import type { Tab } from "../tab.ts";

/** The address of a new invite by the owner. */
async function inviteTo(tab: Tab, room: string): Promise<string> {
  await tab.chooseForRoom(room, "Invite people");
  const dialog = tab.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const code = await dialog.getByRole("listitem").getByRole("code").innerText();
  await tab.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return `/invite/${code}`;
}

/** The screens before and just after signing in. */
export async function signInScreens({ camera, world, device, people: { mara, ben } }: Scene): Promise<void> {
  const visitor = await (await device()).open("/login", world.home);
  await visitor.button("Sign in").waitFor();
  await camera.take(visitor, "login");
  await visitor.button("Sign in").click();
  await camera.take(visitor, "login-missing");
  await visitor.go("/register");
  await visitor.button("Create account").waitFor();
  await camera.take(visitor, "register");
  await visitor.page.setViewportSize(PHONE);
  await camera.take(visitor, "register-phone");
  await visitor.page.setViewportSize(DESKTOP);
  await visitor.go(await inviteTo(mara.tab, GARDEN));
  await visitor.page.getByRole("heading", { name: GARDEN }).waitFor();
  await camera.take(visitor, "invite");
  await visitor.register("nina", { displayName: "Nina Roth" });
  await camera.take(visitor, "home-empty");
  await visitor.button("Create server").first().click();
  await visitor.page.getByRole("dialog").waitFor();
  await camera.take(visitor, "create");
  await visitor.page.keyboard.press("Escape");

  await ben.tab.go("/");
  await ben.tab.page.getByRole("heading", { level: 1 }).waitFor();
  await camera.take(ben.tab, "home-read");
  await mara.tab.say("@Ben Okoro the compost people are here at four");
  await ben.tab.inRail(/mention/).waitFor();
  await camera.take(ben.tab, "home-unread");
}

/** Every page of the settings. */
export async function inSettings({ camera, people: { tomo } }: Scene): Promise<void> {
  const { tab } = tomo;
  for (const page of ["account", "devices", "servers", "appearance", "notifications", "keyboard", "about"]) {
    await tab.go(`/settings/${page}`);
    await tab.page.getByRole("heading", { level: 1 }).waitFor();
    await camera.take(tab, `settings-${page}`);
  }
  await tab.page.setViewportSize(PHONE);
  await tab.page.reload();
  await tab.page.getByRole("heading", { level: 1 }).waitFor();
  await camera.take(tab, "settings-phone");
  await tab.page.setViewportSize(DESKTOP);
  await tab.go("/settings/appearance");
  await tab.page.getByText("Compact").click();
  await tab.go("/");
  await tab.enterRoom(GARDEN);
  await camera.take(tab, "room-compact");
}

/** The same on a phone and on a tablet. */
export async function onSmallScreens({ camera, people: { ines } }: Scene): Promise<void> {
  const { tab } = ines;
  await tab.sees("the compost people");
  await tab.page.setViewportSize(TABLET);
  await camera.take(tab, "room-tablet");
  await tab.page.setViewportSize(PHONE);
  await camera.take(tab, "room-phone");
  await tab.button("Show members").click();
  await tab.page.getByRole("heading", { name: "Members" }).waitFor();
  await camera.take(tab, "members-phone");
  await tab.page.keyboard.press("Escape");
  await tab.page.getByRole("link", { name: "Back to the list" }).click();
  await tab.page.keyboard.press("Escape");
  await camera.take(tab, "list-phone");
}
