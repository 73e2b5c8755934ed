import type { Locator, Page } from "playwright-core";

export const PASSWORD = "correct horse battery";

/** The client in one tab, used through its visible texts and accessible names. */
export class Tab {
  readonly page: Page;
  readonly origin: string;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.origin).href);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** Signs up from a visitor's page. */
  async register(username: string, { password = PASSWORD, displayName = "" } = {}): Promise<void> {
    await this.go("/register");
    await this.page.getByLabel("Username").fill(username);
    if (displayName !== "") await this.page.getByLabel("Display name").fill(displayName);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.button("Create account").click();
    await this.atHome();
  }

  async signIn(username: string, password = PASSWORD): Promise<void> {
    await this.go("/login");
    await this.page.getByLabel("Username").fill(username);
    await this.page.getByLabel("Password", { exact: true }).fill(password);
    await this.button("Sign in").click();
    await this.atHome();
  }

  atHome(): Promise<void> {
    return this.page.getByRole("navigation", { name: "Servers" }).waitFor();
  }

  /** Creates a public server at home and opens its first channel. */
  async createRoom(name: string): Promise<void> {
    await this.button("Create server").first().click();
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await this.inRoom(name);
  }

  async inRoom(name: string): Promise<void> {
    await this.page.getByRole("navigation", { name: `Channels of ${name}` }).waitFor();
    await this.composer.waitFor();
  }

  /** Opens a server in the rail. */
  async enterRoom(name: string): Promise<void> {
    await this.page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name }).click();
    await this.inRoom(name);
  }

  /** Finds a public server by its name and joins it. */
  async findAndJoin(name: string): Promise<void> {
    await this.go("/directory");
    await this.page.getByLabel("Search by name, topic or tag").fill(name);
    await this.button(`Join ${name}`).first().click();
    await this.inRoom(name);
  }

  get composer(): Locator {
    return this.page.getByRole("textbox", { name: "Message", exact: true });
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  /** The message that shows this text. */
  message(text: string): Locator {
    return this.page.getByRole("article").filter({ hasText: text });
  }

  async sees(text: string): Promise<void> {
    await this.message(text).first().waitFor();
  }

  /** The number of messages with a text. */
  count(text: string): Promise<number> {
    return this.message(text).count();
  }

  /** Chooses an entry of a message's menu. */
  async chooseFor(text: string, entry: string): Promise<void> {
    // Not on links and code, where the browser's own menu opens.
    await this.message(text)
      .first()
      .click({ button: "right", position: { x: 4, y: 4 } });
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }

  async answer(text: string, reply: string): Promise<void> {
    await this.chooseFor(text, "Reply");
    await this.page.getByText("Replying to").waitFor();
    await this.say(reply);
  }

  async edit(text: string, next: string): Promise<void> {
    await this.chooseFor(text, "Edit");
    await this.page.getByText("Editing your message").waitFor();
    await this.say(next);
    await this.sees(next);
  }

  async remove(text: string): Promise<void> {
    await this.chooseFor(text, "Delete");
    await this.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await this.message(text).waitFor({ state: "detached" });
  }

  react(text: string, emoji: string): Promise<void> {
    return this.chooseFor(text, `React with ${emoji}`);
  }

  /** A server in the rail, by its accessible name. */
  inRail(name: string | RegExp): Locator {
    return this.page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name });
  }

  /** Chooses an entry of the open server's menu. */
  async chooseForRoom(name: string, entry: string): Promise<void> {
    await this.button(`Menu for ${name}`).click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }

  async leaveRoom(name: string): Promise<void> {
    await this.chooseForRoom(name, "Leave server");
    await this.page.getByRole("alertdialog").getByRole("button", { name: "Leave server" }).click();
    await this.inRail(name).waitFor({ state: "detached" });
  }
}
