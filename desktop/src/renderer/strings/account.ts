import { appearance } from "./appearance.ts";
import { devices, storage, sync } from "./devices.ts";
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
    control: "A display name must not contain control or invisible characters.",
    invisible: "A display name has at least one character that can be seen, and none that are invisible.",
    stacked: "A display name has at most two accents on a letter.",
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
  download: {
    title: "Your data",
    help: (host: string) =>
      `Everything that ${host} knows of your account, as one file. Messages are on your devices.`,
    button: "Download my data",
    done: "The file with your data is ready.",
  },
  deletion: {
    title: "Delete account",
    help: "Ends this account for good. Nobody can bring it back.",
    button: "Delete account…",
    dialogTitle: (username: string) => `Delete the account ${username}?`,
    goes: (host: string) => [
      `Your account on ${host} goes, with your sessions on all devices.`,
      "You leave every server there, and your blocks, reports and settings there go.",
      "What Hearth keeps of the account on this device goes: servers, messages and drafts.",
    ],
    stays:
      "Messages that others have already received stay on their devices. Your user name is not given to anybody else. Accounts on other instances stay.",
    owned: (names: string) => `You own ${names}. What becomes of it?`,
    choices: { transfer: "Hand over", delete: "Delete" },
    choiceHelp: {
      transfer:
        "A moderator becomes the owner, else the member who has been there longest. Without members it is deleted.",
      delete: "It goes for everybody, with its invites and bans.",
    },
    password: "Your password",
    wrongPassword: "That is not your password.",
    confirm: "Delete my account",
  },
  devices,
  storage,
  sync,
  servers,
  appearance,
  notifications,
  keyboard,
};
