import type { LocalServerState } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";

export interface Running {
  readonly version: string;
  readonly folder: string;
  /** Whether the folder contains a database. */
  readonly hasData: boolean;
  readonly settings: LocalApiSettings;
  readonly state: LocalServerState;
}

/** A token for the sample, and a path to request. */
export interface Trial {
  readonly token: string;
  readonly roomId: string;
  readonly roomName: string;
  readonly isNew: boolean;
}

const row = (label: string, text: string): string => `  ${label.padEnd(12)}${text}`;

function documentRows(url: string, settings: LocalApiSettings): readonly string[] {
  const { referenceDocsEnabled, staticDocsEnabled } = settings;
  return [
    row("Reference", referenceDocsEnabled ? `${url}/docs` : "off (--docs turns it on)"),
    row("Handbook", staticDocsEnabled ? `${url}/static-docs` : "off (--static-docs turns it on)"),
  ];
}

function lanWarning([, ...others]: readonly string[]): readonly string[] {
  const reach = others.length > 0 ? `, also at ${others.join(" and ")}` : "";
  return [
    "",
    `Warning: every computer on your network can reach the local API${reach}.`,
    "The traffic is not encrypted. Others on the network can read passwords, tokens and messages.",
  ];
}

/** Tells the user what is served where. Goes to standard output even without a terminal, because scripts read it. */
export function banner({ version, folder, hasData, settings, state }: Running): string {
  const [url = ""] = state.urls;
  const allowed = settings.allowedSignalingServers;
  return [
    "",
    `Hearth's local API ${version} is running, read-only.`,
    "",
    row("Open", `${url}/api/health`),
    ...documentRows(url, settings),
    row(
      "Logins",
      allowed.length > 0
        ? `confirmed by ${allowed.join(", ")}`
        : "none allowed (--allow URL allows an instance)",
    ),
    row("Data", hasData ? folder : `${folder} (no data yet; the app creates it)`),
    ...(settings.exposeOnLan ? lanWarning(state.urls) : []),
    "",
    "Press Ctrl-C to stop it.",
    "",
  ].join("\n");
}

/** The command that shows the sample. */
export function trialText(url: string, { token, roomId, roomName, isNew }: Trial): string {
  const wanted = `${url}/api/rooms/${roomId}/messages?limit=3`;
  return [
    "",
    `The folder contains ${isNew ? "a new" : "the"} sample, a year of made-up chat. To read three messages of "${roomName}":`,
    "",
    `  curl -H "Authorization: Bearer ${token}" "${wanted}"`,
    "",
    "This token works only for this run and is shown only here. On a real device you get a token by logging in.",
    "",
  ].join("\n");
}
