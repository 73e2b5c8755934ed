import { appearance } from "./appearance.ts";
import { devices, storage, sync } from "./devices.ts";
import { keyboard } from "./keyboard.ts";
import { notifications } from "./notifications.ts";
import { instances } from "./instances.ts";

export const account = {
  lead: (username: string, host: string) =>
    `You are signed in as ${username} on ${host}, your home instance.`,
  profile: "Profile",
  displayName: "Display name",
  displayNameHelp: "How others see you. Your username stays the same.",
  nameProblems: {
    empty: "Enter a display name.",
    "too-long": "Use at most 64 characters.",
    control: "Remove all control characters and invisible characters.",
    invisible: "Use at least one visible character and no invisible ones.",
    stacked: "Use at most two accents on a letter.",
  },
  nameChanged: "Display name changed.",
  save: "Save",
  password: "Password",
  passwordHelp: "Changing your password signs out all of your other devices.",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHelp: "At least 8 characters. A few words work well.",
  passwordMissing: "Enter your current password.",
  passwordProblems: {
    "too-short": "Use at least 8 characters.",
    "too-long": "Use at most 1024 characters.",
  },
  passwordChanged: "Password changed. Your other devices are signed out.",
  changePassword: "Change password",
  leaving: "Sign out",
  leavingHelp:
    "Signs you out of every instance on this device. Your data stays on this device until someone else signs in.",
  signOut: "Sign out",
  signOutDialog: {
    title: "Sign out on this device?",
    body: "You need your password to sign in again. Servers, messages and drafts stay on this device.",
  },
  download: {
    title: "Your data",
    help: (host: string) =>
      `One file with everything that ${host} stores about your account. Messages are stored on your devices.`,
    button: "Download my data",
    done: "Your data is ready.",
  },
  deletion: {
    title: "Delete account",
    help: "Deletes this account permanently. Nobody can restore it.",
    button: "Delete account…",
    dialogTitle: (username: string) => `Delete the account ${username}?`,
    goes: (host: string) => [
      `Your account on ${host} is deleted, and you are signed out on all devices.`,
      "You leave every server there. Your blocks, reports and settings there are deleted.",
      "Hearth removes the account’s servers, messages and drafts from this device.",
    ],
    stays:
      "Messages that others have received stay on their devices. Nobody else can take your username. Your accounts on other instances stay.",
    owned: (names: string) => `You own ${names}. What should happen to it?`,
    choices: { transfer: "Transfer", delete: "Delete" },
    choiceHelp: {
      transfer:
        "A moderator becomes the owner. Without moderators it is the member who joined first, and without members the server is deleted.",
      delete: "The server is deleted for everyone, with its invites and bans.",
    },
    password: "Your password",
    wrongPassword: "This is not your password.",
    confirm: "Delete my account",
  },
  devices,
  storage,
  sync,
  instances,
  appearance,
  notifications,
  keyboard,
};
