export { createFakePlatform } from "./fake-platform.ts";
