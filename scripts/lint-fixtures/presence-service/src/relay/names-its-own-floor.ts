export { voice } from "../voice/voice.ts";
