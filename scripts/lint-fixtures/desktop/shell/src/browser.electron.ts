import { shell } from "electron";

export const open = (url: string): Promise<void> => shell.openExternal(url);
