/** The number of connections opened in parallel. */
const WIDTH = 32;

/** Runs `one` for 0 to `count` − 1, 32 at a time, and returns the results in order. */
export async function ramp<Made>(count: number, one: (index: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      made[index] = await one(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(WIDTH, count) }, lane));
  return made;
}
