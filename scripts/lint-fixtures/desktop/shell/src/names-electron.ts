import { type Rectangle, shell } from "electron";

export const open = ({ width }: Rectangle): Promise<void> =>
  shell.openExternal(`https://hearth.test/${width}`);
