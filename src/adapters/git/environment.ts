/**
 * What every git that hone starts is told. A person's global configuration, hooks, file-system
 * monitors, signing programs and prompts have no say; nothing is inherited but where programs lie.
 */

const IDENTITY = { name: "hone", email: "hone@localhost" };

/** hone as the author of something at a time, in milliseconds, as it stands in a commit. */
export function personLine(at: number): string {
  return `${IDENTITY.name} <${IDENTITY.email}> ${String(Math.floor(at / 1000))} +0000`;
}

/** Whether a commit's author or committer, without the time, is hone. */
export function isHonesIdentity(person: string): boolean {
  return person === `${IDENTITY.name} <${IDENTITY.email}>`;
}

/** Settings given on the command line, where they win over the repository's own configuration. */
export const FIXED_CONFIG: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.fsync=loose-object,reference",
  "core.fsyncMethod=fsync",
  "core.quotePath=false",
  "core.filesRefLockTimeout=1000",
  "core.packedRefsTimeout=1000",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "i18n.commitEncoding=UTF-8",
  "merge.autoStash=false",
  "submodule.recurse=false",
];

/**
 * The whole environment of a git process. `at` is the time of the commits and of the reflog
 * entries that it makes, in milliseconds since the epoch.
 */
export function gitEnvironment(searchPath: string, at: number): Record<string, string> {
  const date = `@${String(Math.floor(at / 1000))} +0000`;
  return {
    PATH: searchPath,
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A path is a path, never a pattern; an object is itself, never its replacement.
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // A partial clone would otherwise run its remote's programs to fetch what it lacks.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
    GIT_COMMITTER_DATE: date,
  };
}

/** Settings whose names come from a repository, as environment: no character in them can mislead. */
export function configEnvironment(
  settings: readonly (readonly [string, string])[],
): Record<string, string> {
  const members = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${String(at)}`, key] as const,
    [`GIT_CONFIG_VALUE_${String(at)}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(members) };
}

/** Where programs are looked up: the only thing a git process inherits. */
export function inheritedSearchPath(): string {
  return process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
}
