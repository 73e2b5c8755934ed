/** What is wrong with a display name (rule AU2), before the server is asked. */
export function nameProblem(name: string): "empty" | "too-long" | "control" | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return "empty";
  if (/\p{Cc}/u.test(trimmed)) return "control";
  return trimmed.length > 64 ? "too-long" : undefined;
}

/** What is wrong with a new password (rule AU2). */
export function passwordProblem(password: string): "too-short" | "too-long" | undefined {
  const { length } = password.normalize("NFC");
  if (length < 8) return "too-short";
  return length > 1024 ? "too-long" : undefined;
}
