/** Commands that a person can paste into a terminal, for the address in force. */
export interface Example {
  readonly name: "health" | "login" | "rooms";
  readonly command: string;
}

/** The password is asked for, so that it stays out of the shell's history; quotes in it are made safe for JSON. */
const loginCommand = (url: string, server: string): string =>
  [
    "( printf 'Username: ' >&2; read -r NAME",
    "  printf 'Password: ' >&2; stty -echo; read -r SECRET; stty echo",
    String.raw`  SECRET=$(printf '%s' "$SECRET" | sed 's/[\\"]/\\&/g')`,
    `  printf '{"username":"%s","password":"%s","serverUrl":"%s"}' \\`,
    `    "$NAME" "$SECRET" '${server}'`,
    `) | curl -s ${url}/api/auth/login \\`,
    "  -H 'Content-Type: application/json' -d @-",
  ].join("\n");

export function examplesFor(url: string, servers: readonly string[]): readonly Example[] {
  const [server] = servers;
  const health: Example = { name: "health", command: `curl ${url}/api/health` };
  if (server === undefined) return [health];
  return [
    health,
    { name: "login", command: loginCommand(url, server) },
    { name: "rooms", command: `curl ${url}/api/rooms -H 'Authorization: Bearer TOKEN'` },
  ];
}
