import { contextBridge } from "electron";

contextBridge.exposeInMainWorld("hearth", {});
