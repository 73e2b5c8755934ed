export const HOST = "127.0.0.1";

/**
 * One of many addresses of this machine's loopback network, so that limits per client address, which are part
 * of the measured path, see as many clients as there would be.
 */
export const loopbackAddress = (index: number): string =>
  `127.${1 + Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;
