export type Id = string;
export const limit = 10;
