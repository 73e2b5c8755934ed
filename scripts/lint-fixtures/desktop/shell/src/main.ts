import { open } from "./browser.electron.ts";

export const openPage = (): Promise<void> => open("https://hearth.test");
