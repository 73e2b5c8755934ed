import { authLimit } from "@hearth/auth-service";

export const limit = authLimit;
