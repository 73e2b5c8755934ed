import type { ClientProblemCode } from "../../client/problem.ts";

/** A sentence for every way in which something can fail, where a screen has no better one. */
export const problems: Readonly<Record<ClientProblemCode, string>> & {
  readonly unknown: string;
  readonly waitSeconds: (seconds: number) => string;
  /** By the name of the quota. */
  readonly quotas: Readonly<Record<string, string>>;
  /** By what the server asks for instead. */
  readonly registration: Readonly<Record<string, string>>;
} = {
  unknown: "Something went wrong. Nothing is lost; try again.",
  waitSeconds: (seconds) =>
    `Too many tries. Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}, then try again.`,
  quotas: {
    servers_owned: "You own as many servers as this instance allows. Delete one or hand it over first.",
    servers_made: "You made many servers in the last hour. Wait an hour, then try again.",
    channels: "This server has as many channels as this instance allows.",
    invites: "This server has as many invites as this instance allows. End one first.",
    invites_member: "You made as many invites for this server as one member may. End one first.",
    bans: "This server has as many bans as this instance allows. Lift one first.",
    device_tokens: "This account has as many device tokens as this instance allows.",
    blocks: "You have blocked as many people as this instance allows. Unblock somebody first.",
    reports: "You sent as many reports today as this instance takes. Try again tomorrow.",
  },
  registration: {
    closed: "This instance makes no new accounts.",
    invite_required: "You need an invitation from the operator to make an account here.",
    invite_invalid: "This invitation does not work any more. Ask the operator for a new one.",
  },
  INVALID_REQUEST: "The server did not accept what was entered.",
  AUTH_REQUIRED: "You need to sign in to this server first.",
  AUTH_INVALID: "This server no longer accepts your sign-in. Sign in again.",
  INVALID_CREDENTIALS: "That is not the right name or password.",
  FORBIDDEN: "You are not allowed to do this.",
  BANNED: "You are banned from this server.",
  ACCESS_DENIED: "You need an invite, or somebody has to let you in.",
  QUOTA_EXCEEDED: "You have as many of these as this instance allows.",
  REGISTRATION_CLOSED: "This instance makes no new accounts without an invitation.",
  ACCOUNT_SUSPENDED: "The operator of this instance has suspended this account.",
  NO_SHARED_SERVER: "You have no server in common with this person.",
  NO_ALLOWED_SERVERS: "No signaling server is allowed to confirm logins.",
  SERVER_NOT_ALLOWED: "This signaling server is not allowed to confirm logins.",
  ACCOUNT_NOT_ON_DEVICE: "This device does not hold that account.",
  HOST_NOT_ALLOWED: "This address is not allowed.",
  NOT_FOUND: "It is not there any more.",
  METHOD_NOT_ALLOWED: "The server does not know how to do this.",
  CONFLICT: "Somebody changed this in the meantime. Look at it again, then repeat your change.",
  USERNAME_TAKEN: "This name is taken. Choose another one.",
  NOT_JOINED: "You are not in this server at the moment.",
  VOICE_NOT_OWNER: "Another of your devices has the microphone.",
  STALE_FENCE: "Another of your devices took over meanwhile.",
  PAYLOAD_TOO_LARGE: "This is too long to be sent.",
  UNSUPPORTED_MEDIA_TYPE: "The server does not understand this kind of content.",
  UNKNOWN_TYPE: "The server does not know how to do this.",
  RATE_LIMITED: "Too many tries. Wait a moment, then try again.",
  UPSTREAM_RATE_LIMITED: "The server takes no more logins for the moment. Wait, then try again.",
  INTERNAL: "The server had a problem of its own. Try again.",
  UPSTREAM_UNREACHABLE: "A part of the server is away. Try again in a moment.",
  UNAVAILABLE: "The server cannot do this right now. Try again in a moment.",
  TIMEOUT: "The server took too long. Try again.",
  NO_ANSWER: "The server does not answer. Check the address and your connection.",
  BAD_ANSWER: "What answers there is not a Hearth server.",
  OFFLINE: "You are not connected to this server.",
  NEEDS_SIGN_IN: "Sign in to this server first.",
  STORAGE_FULL: "This device has no room left for Hearth’s data.",
  STORAGE_FAILED: "Hearth cannot store anything on this device at the moment.",
  INVALID_SERVER_URL: "This is not the address of a server.",
};
