export const devices = {
  lead: "Where your account is signed in. If you do not know one of these, sign it out and change your password.",
  title: "Devices and sessions",
  help: "A device that is signed out loses its connection within a second.",
  loading: "Asking your server…",
  thisOne: "This device",
  active: "Active now",
  lastUsed: (when: string) => `Last active ${when}`,
  signedIn: (day: string) => `signed in ${day}`,
  opened: (device: string) => `${device} signed in to your account just now.`,
  review: "Review",
  justNow: "New",
  wasItYou: "It signed in while this page was open. If it was not you, sign it out and change your password.",
  unknown: "Unknown program",
  none: "You are signed in nowhere else.",
  end: "Sign out",
  endNamed: (device: string) => `Sign out ${device}`,
  ended: (device: string) => `${device} is signed out.`,
  others: "All other devices",
  othersHelp:
    "Signs out everything but this device. Your password is asked for, so that nobody else can do it.",
  othersPassword: "Password",
  endOthers: "Sign out all others",
  othersEnded: "All other devices are signed out.",
};

export const storage = {
  title: "Messages on this device",
  help: "Beyond the limit the oldest messages go, from the largest server first. The newest of each, what waits to be sent, drafts and accounts always stay, and so does everything on your other devices. A smaller limit applies ten seconds after you choose it.",
  used: (size: string, count: string) => `${size} used now, for ${count} messages.`,
  measuring: "Measuring…",
  failed: "What is used could not be measured.",
  limit: "Keep at most",
  all: "As much as fits",
  changed: (limit: string) => `Messages on this device: ${limit}.`,
};

export const sync = {
  title: "In step with your other devices",
  help: "Servers, messages, read positions and emoji travel from device to device. Your server passes them on and keeps none.",
  never: "This device has not met another one yet.",
  last: (when: string) => `Last in step with another device ${when}.`,
  progress: {
    receiving: (device: string) => `Catching up from ${device}…`,
    sending: (device: string) => `Bringing ${device} up to date…`,
  },
  seen: (devices: string) => `Seen since this one came online: ${devices}.`,
  queued: (count: number) =>
    count === 1 ? "1 change waits for a connection." : `${count} changes wait for a connection.`,
  again: "Fetch everything again",
};
