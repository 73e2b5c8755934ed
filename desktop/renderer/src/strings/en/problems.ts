import type { ClientProblemCode } from "@hearth/device";

/** A sentence for every way in which something can fail, where a screen has no better one. */
export const problems: Readonly<Record<ClientProblemCode, string>> & {
  readonly unknown: string;
  readonly waitSeconds: (seconds: number) => string;
  /** By the name of the quota. */
  readonly quotas: Readonly<Record<string, string>>;
  /** By what the server asks for instead. */
  readonly registration: Readonly<Record<string, string>>;
} = {
  unknown: "Something went wrong. Try again.",
  waitSeconds: (seconds) =>
    `Too many attempts. Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}, then try again.`,
  quotas: {
    servers_owned: "You own as many servers as this instance allows. Delete or transfer one first.",
    servers_made: "You created too many servers in the last hour. Wait an hour, then try again.",
    channels: "This server has as many channels as this instance allows.",
    invites: "This server has as many invites as this instance allows. Revoke one first.",
    invites_member: "You created as many invites for this server as one member may. Revoke one first.",
    bans: "This server has as many bans as this instance allows. Lift one first.",
    device_tokens: "This account has as many device tokens as this instance allows.",
    blocks: "You have blocked as many users as this instance allows. Unblock someone first.",
    reports: "You have sent as many reports today as this instance allows. Try again tomorrow.",
  },
  registration: {
    closed: "Registration is closed on this instance.",
    invite_required: "You need an invitation from the operator to create an account here.",
    invite_invalid: "This invitation no longer works. Ask the operator for a new one.",
  },
  INVALID_REQUEST: "The instance did not accept what you entered.",
  AUTH_REQUIRED: "You need to sign in to this instance first.",
  AUTH_INVALID: "This instance no longer accepts your session. Sign in again.",
  INVALID_CREDENTIALS: "The username or password is not correct.",
  FORBIDDEN: "You are not allowed to do this.",
  BANNED: "You are banned from this server.",
  ACCESS_DENIED: "You need an invite, or a moderator must approve your request to join.",
  QUOTA_EXCEEDED: "You have reached a limit of this instance.",
  REGISTRATION_CLOSED: "You need an invitation to create an account on this instance.",
  ACCOUNT_SUSPENDED: "The operator of this instance has suspended this account.",
  NO_SHARED_SERVER: "You share no server with this user.",
  NO_ALLOWED_SERVERS: "No instance is allowed to confirm logins.",
  SERVER_NOT_ALLOWED: "This instance is not allowed to confirm logins.",
  ACCOUNT_NOT_ON_DEVICE: "This account is not on this device.",
  HOST_NOT_ALLOWED: "This address is not allowed.",
  NOT_FOUND: "This could not be found. It may have been deleted.",
  METHOD_NOT_ALLOWED: "The instance does not support this.",
  CONFLICT: "Someone else changed this in the meantime. Check it, then make your change again.",
  USERNAME_TAKEN: "This username is already taken. Choose another one.",
  NOT_JOINED: "You are not connected to this server at the moment.",
  VOICE_NOT_OWNER: "You are using the microphone on another device.",
  STALE_FENCE: "Another of your devices took over.",
  PAYLOAD_TOO_LARGE: "This is too long to send.",
  UNSUPPORTED_MEDIA_TYPE: "The instance does not support this kind of content.",
  UNKNOWN_TYPE: "The instance does not support this.",
  RATE_LIMITED: "Too many attempts. Wait a moment, then try again.",
  UPSTREAM_RATE_LIMITED: "The instance accepts no more logins for now. Wait a moment, then try again.",
  INTERNAL: "Something went wrong on the instance. Try again.",
  UPSTREAM_UNREACHABLE: "A part of the instance does not respond. Try again in a moment.",
  UNAVAILABLE: "The instance cannot do this right now. Try again in a moment.",
  TIMEOUT: "The instance took too long to respond. Try again.",
  NO_ANSWER: "The instance does not respond. Check the address and your connection.",
  BAD_ANSWER: "The response did not come from a Hearth instance. Check the address.",
  OFFLINE: "You are not connected to this instance.",
  NEEDS_SIGN_IN: "Sign in to this instance first.",
  STORAGE_FULL: "This device has no space left for Hearth’s data.",
  STORAGE_FAILED: "Hearth cannot store data on this device at the moment.",
  INVALID_SERVER_URL: "This is not the address of an instance.",
};
