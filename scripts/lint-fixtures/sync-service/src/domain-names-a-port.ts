import type { Connection } from "./transport/connection.ts";

export const nameOf = ({ id }: Connection): string => id;
