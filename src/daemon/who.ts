import { userInfo } from "node:os";

/** The name under which a person's decision is recorded. */
export function whoAmI(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the password file, as containers have it.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
