export { createDesktopPlatform } from "./desktop-platform.ts";
export { createWebPlatform } from "./web-platform.ts";
