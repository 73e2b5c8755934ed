import type { Platform } from "../ports.ts";
import type { ClientInstance } from "./connection.ts";

const KEY = "app.clientInstanceId";
/** How long other tabs have to object. A background tab answers messages as fast as a visible one. */
const OBJECT_MS = 150;

/** `page` is unique per page load, so that a tab and its duplicate differ. */
type TabMessage =
  | { readonly type: "instance-claim"; readonly id: string; readonly page: string }
  | { readonly type: "instance-taken"; readonly id: string; readonly page: string }
  | { readonly type: "instance-asked"; readonly id: string; readonly page: string }
  | { readonly type: "instance-here"; readonly id: string; readonly page: string };

const isTabMessage = (message: unknown): message is TabMessage =>
  typeof message === "object" &&
  message !== null &&
  "type" in message &&
  "id" in message &&
  "page" in message &&
  typeof message.type === "string" &&
  message.type.startsWith("instance-");

const isId = (text: string | null): text is string =>
  text !== null && /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text);

class TabInstance implements ClientInstance {
  #id: string;
  readonly #platform: Platform;
  readonly #page: string;
  /** `claiming` while others may object; a settled tab keeps its id. */
  #phase: "claiming" | "settled" = "claiming";
  #settle: () => void = () => undefined;
  readonly #asked = new Map<string, Set<() => void>>();

  constructor(platform: Platform) {
    const stored = platform.session.get(KEY);
    this.#platform = platform;
    this.#page = platform.newId();
    this.#id = isId(stored) ? stored : platform.newId();
    platform.tabs.onMessage((message) => {
      if (isTabMessage(message) && message.page !== this.#page) this.#receive(message);
      else if (isTabMessage(message) && message.type === "instance-taken") this.#objected(message.id);
    });
  }

  get id(): string {
    return this.#id;
  }

  async claim(): Promise<void> {
    const platform = this.#platform;
    platform.tabs.post({ type: "instance-claim", id: this.#id, page: this.#page } satisfies TabMessage);
    await new Promise<void>((resolve) => {
      const stop = platform.later(OBJECT_MS, resolve);
      this.#settle = () => {
        stop();
        resolve();
      };
    });
    this.#phase = "settled";
    this.#keep();
  }

  isHere(clientInstanceId: string): Promise<boolean> {
    if (clientInstanceId === this.#id) return Promise.resolve(true);
    const platform = this.#platform;
    return new Promise((resolve) => {
      const answered = this.#asked.get(clientInstanceId) ?? new Set();
      const finish = (isHere: boolean): void => {
        stop();
        answered.delete(onAnswer);
        if (answered.size === 0) this.#asked.delete(clientInstanceId);
        resolve(isHere);
      };
      const onAnswer = (): void => finish(true);
      const stop = platform.later(OBJECT_MS, () => finish(false));
      this.#asked.set(clientInstanceId, answered.add(onAnswer));
      platform.tabs.post({
        type: "instance-asked",
        id: clientInstanceId,
        page: this.#page,
      } satisfies TabMessage);
    });
  }

  #receive({ type, id, page }: TabMessage): void {
    if (type === "instance-here") this.#asked.get(id)?.forEach((onAnswer) => onAnswer());
    if (id !== this.#id) return;
    const { tabs } = this.#platform;
    if (type === "instance-asked")
      tabs.post({ type: "instance-here", id, page: this.#page } satisfies TabMessage);
    if (type !== "instance-claim") return;
    // If two tabs claim at the same time, the smaller page keeps the id. Both decide the same way.
    if (this.#phase === "settled" || this.#page < page)
      tabs.post({ type: "instance-taken", id, page } satisfies TabMessage);
    else this.#renew();
  }

  #objected(id: string): void {
    if (id === this.#id && this.#phase === "claiming") this.#renew();
  }

  #renew(): void {
    this.#id = this.#platform.newId();
    this.#settle();
  }

  /** If it cannot be stored, a reload gets a new id and counts as another tab. */
  #keep(): void {
    try {
      this.#platform.session.set(KEY, this.#id);
    } catch {
      return;
    }
  }
}

/** The id of this tab, after no other tab of this browser objected (rule CL4). */
export async function createClientInstance(platform: Platform): Promise<ClientInstance> {
  const instance = new TabInstance(platform);
  await instance.claim();
  return instance;
}
