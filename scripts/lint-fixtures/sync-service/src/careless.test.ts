const later = (): Promise<number> => Promise.resolve(1);

export function start(): void {
  later();
  if (later()) return;
}
