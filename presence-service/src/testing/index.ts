export * from "./scene.ts";
export * from "./device.ts";
export * from "./distance.ts";
export * from "./ids.ts";
export * from "./messages.ts";
export * from "./random.ts";
export * from "./services.ts";
export * from "./world.ts";
