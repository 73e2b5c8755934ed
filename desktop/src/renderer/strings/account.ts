import { appearance } from "./appearance.ts";
import { devices, sync } from "./devices.ts";
import { keyboard } from "./keyboard.ts";
import { notifications } from "./notifications.ts";
import { servers } from "./signal-servers.ts";

export const account = {
  lead: (username: string, host: string) => `You are ${username} at ${host}. That is your home server.`,
  profile: "Profile",
  displayName: "Display name",
  displayNameHelp: "How others see you. Your user name stays the same.",
  nameProblems: {
    empty: "A display name has at least one character.",
    "too-long": "A display name has at most 64 characters.",
    control: "A display name must not contain control characters.",
  },
  nameChanged: "Your display name is changed.",
  save: "Save",
  password: "Password",
  passwordHelp: "Changing it signs out all of your other devices.",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHelp: "At least 8 characters. A few words in a row are good.",
  passwordMissing: "Enter the password that you have now.",
  passwordProblems: {
    "too-short": "A password has at least 8 characters.",
    "too-long": "A password has at most 1024 characters.",
  },
  passwordChanged: "Your password is changed. Your other devices are signed out.",
  changePassword: "Change password",
  leaving: "Sign out",
  leavingHelp:
    "Signs out of every server on this device. What is stored here stays until somebody else signs in.",
  signOut: "Sign out",
  signOutDialog: {
    title: "Sign out on this device?",
    body: "You need your password to come back. Rooms, messages and drafts stay on this device.",
  },
  devices,
  sync,
  servers,
  appearance,
  notifications,
  keyboard,
};
