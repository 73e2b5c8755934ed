const SELECTOR = "[data-message-id]";

/** The message that something on the page belongs to. */
export const messageElementOf = (element: EventTarget | null): HTMLElement | null =>
  element instanceof Element ? element.closest<HTMLElement>(SELECTOR) : null;

export const messageIdOf = (element: EventTarget | null): string | null =>
  messageElementOf(element)?.dataset["messageId"] ?? null;

export const findMessageElement = (within: ParentNode, messageId: string): HTMLElement | null =>
  within.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(messageId)}"]`);

/** Opens the menu of a message at an element in it, as the context menu key does. */
export function openMenuOf(element: Element): void {
  const { left, right, bottom } = element.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(element).direction === "rtl";
  const at = { clientX: isRightToLeft ? right : left, clientY: bottom };
  element.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, ...at }));
}

/** What the browser's own menu is for: a link, code, or text that is selected. */
export const wantsNativeMenu = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest("a, pre") !== null) ||
  document.getSelection()?.isCollapsed === false;
