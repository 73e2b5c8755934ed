export { shell } from "electron";
