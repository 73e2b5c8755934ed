export { runtimeLimit } from "@hearth/runtime";
