export const voice = "voice";
