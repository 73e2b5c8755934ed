export const devices = {
  lead: "Devices where you are signed in. If you do not know one of them, sign it out and change your password.",
  title: "Devices and sessions",
  help: "A device that you sign out is disconnected within a second.",
  loading: "Loading devices…",
  thisOne: "This device",
  active: "Active now",
  lastUsed: (when: string) => `Last active ${when}`,
  signedIn: (day: string) => `signed in ${day}`,
  opened: (device: string) => `${device} signed in to your account just now.`,
  review: "Review",
  justNow: "New",
  wasItYou:
    "This device signed in while this page was open. If it was not you, sign it out and change your password.",
  unknown: "Unknown device",
  none: "You are not signed in on any other device.",
  end: "Sign out",
  endNamed: (device: string) => `Sign out ${device}`,
  ended: (device: string) => `${device} is signed out.`,
  others: "All other devices",
  othersHelp: "Signs out every device except this one. Enter your password to confirm that it is you.",
  othersPassword: "Password",
  endOthers: "Sign out all others",
  othersEnded: "All other devices are signed out.",
};

export const storage = {
  title: "Messages on this device",
  help: "When the limit is reached, Hearth removes the oldest messages, from the largest server first. The newest messages of each server, unsent messages, drafts and accounts always stay, and so does everything on your other devices. A smaller limit applies ten seconds after you choose it.",
  used: (size: string, count: string) => `${count} messages use ${size} now.`,
  measuring: "Measuring…",
  failed: "Hearth could not measure how much storage is used.",
  limit: "Keep at most",
  all: "No limit",
  changed: (limit: string) => `Limit for messages on this device: ${limit}.`,
};

export const sync = {
  title: "Sync with your other devices",
  help: "Your devices share servers, messages, read positions and emoji with each other. Your home instance passes them on and keeps none.",
  never: "This device has not synced with another one yet.",
  last: (when: string) => `Last synced with another device ${when}.`,
  progress: {
    receiving: (device: string) => `Syncing from ${device}…`,
    sending: (device: string) => `Syncing to ${device}…`,
  },
  seen: (devices: string) => `Devices seen since this one connected: ${devices}.`,
  queued: (count: number) =>
    count === 1 ? "1 change is waiting to be sent." : `${count} changes are waiting to be sent.`,
  again: "Sync everything again",
};
