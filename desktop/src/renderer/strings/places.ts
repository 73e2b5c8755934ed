export const places = {};
