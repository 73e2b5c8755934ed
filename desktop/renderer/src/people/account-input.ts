import { displayName } from "@hearth/contracts";

const STACKED = /[\p{Mn}\p{Me}]{3}/u;

/** What is wrong with a display name (rules AU2, AB8), before the server is asked. */
export function nameProblem(
  name: string,
): "empty" | "too-long" | "control" | "stacked" | "invisible" | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return "empty";
  if (/\p{Cc}/u.test(trimmed)) return "control";
  if (trimmed.length > 64) return "too-long";
  if (STACKED.test(trimmed.normalize("NFC"))) return "stacked";
  return displayName.safeParse(trimmed).success ? undefined : "invisible";
}

/** What is wrong with a new password (rule AU2). */
export function passwordProblem(password: string): "too-short" | "too-long" | undefined {
  const { length } = password.normalize("NFC");
  if (length < 8) return "too-short";
  return length > 1024 ? "too-long" : undefined;
}
