export const accepting = true;
