export const load = (): Promise<unknown> => import("@hearth/auth-service");
