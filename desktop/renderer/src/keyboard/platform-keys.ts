/** Whether this machine's shortcuts use the command key. */
export const isMac = (): boolean => /Mac|iPhone|iPad/u.test(navigator.userAgent);
