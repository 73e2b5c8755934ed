export const HOST = "127.0.0.1";

/**
 * One of many loopback addresses, so that limits per address, which are part of the measured path, see a realistic
 * number of clients.
 */
export const loopbackAddress = (index: number): string =>
  `127.${1 + Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;
