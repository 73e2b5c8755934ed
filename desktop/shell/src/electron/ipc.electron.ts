import { ipcMain } from "electron";
import type { IpcMainInvokeEvent } from "electron";
import type { Caller, IpcPort } from "../ports.ts";

const callerOf = ({ sender, senderFrame }: IpcMainInvokeEvent): Caller => ({
  contentsId: sender.id,
  isMainFrame: senderFrame !== null && senderFrame === sender.mainFrame,
  origin: senderFrame?.origin ?? "",
});

export const createIpcPort = (): IpcPort => ({
  serve(channels, answer) {
    for (const channel of channels)
      ipcMain.handle(channel, (event, input: unknown) => answer(channel, callerOf(event), input));
    return () => {
      for (const channel of channels) ipcMain.removeHandler(channel);
    };
  },
});
