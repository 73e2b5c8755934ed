export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly status?: number;
}

/** The log lines of a program's output, without the banner. */
export const logLines = (output: string): LogLine[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
