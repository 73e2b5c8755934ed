import type { LocalServerState } from "../local-server/local-server.ts";
import type { LocalApiSettings } from "../settings/local-api-settings.ts";

export interface Running {
  readonly version: string;
  readonly folder: string;
  /** Whether the folder holds a database. */
  readonly hasData: boolean;
  readonly settings: LocalApiSettings;
  readonly state: LocalServerState;
}

/** A token to try a sample with, and what to ask for. */
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
    `Warning: every machine of your network reaches this server${reach}.`,
    "It speaks plain HTTP: whoever listens on that network reads passwords, tokens and messages.",
  ];
}

/** Where a person finds everything. Written to the standard output, also when it is no terminal: scripts read it. */
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
      allowed.length > 0 ? `checked by ${allowed.join(", ")}` : "none (--allow URL allows a server)",
    ),
    row("Data", hasData ? folder : `${folder} (holds none yet; the app puts it there)`),
    ...(settings.exposeOnLan ? lanWarning(state.urls) : []),
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

/** What to type to see the sample. */
export function trialText(url: string, { token, roomId, roomName, isNew }: Trial): string {
  const wanted = `${url}/api/rooms/${roomId}/messages?limit=3`;
  return [
    "",
    `The folder holds ${isNew ? "a new" : "the"} sample: a year of made-up chat. Three messages of "${roomName}":`,
    "",
    `  curl -H "Authorization: Bearer ${token}" "${wanted}"`,
    "",
    "The token is for this run alone, and nobody else is shown it. On a real device a login gives you one.",
    "",
  ].join("\n");
}
