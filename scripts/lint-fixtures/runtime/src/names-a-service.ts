export { authLimit } from "@hearth/auth-service";
