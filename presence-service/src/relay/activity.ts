/** Counts messages per server between two reports (rule DI2). */
export type Activity = ReturnType<typeof createActivity>;

export const createActivity = () => {
  let counts = new Map<string, number>();
  return {
    count(serverId: string): void {
      counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
    },

    /** Returns the counts since the last call. */
    take(): { serverId: string; messages: number }[] {
      const items = [...counts].map(([serverId, messages]) => ({ serverId, messages }));
      counts = new Map();
      return items;
    },
  };
};
