export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly status?: number;
}

/** What was logged; the banner is for people and stands between. */
export const logLines = (output: string): LogLine[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
