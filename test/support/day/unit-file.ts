/** What a unit says under [Service], as systemd reads it: systemd.syntax(7), systemd.service(5). */
export type UnitFile = {
  readonly start: readonly string[];
  readonly startPost: readonly string[];
  readonly reload: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly restartMs: number;
  /** Exit codes after which it is not started again. */
  readonly finalCodes: readonly number[];
};

/** Reads a unit. `specifiers` are what `%C` and the like stand for. */
export function readUnit(text: string, specifiers: Readonly<Record<string, string>>): UnitFile {
  const settings = text.split("\n").flatMap((line) => {
    const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return key === "" ? [] : [{ key, value }];
  });
  const expand = (word: string): string =>
    word.replace(/%(.)/g, (_, letter: string) =>
      letter === "%" ? "%" : (specifiers[letter] ?? fail(`%${letter}`)),
    );
  const words = (key: string): readonly string[] =>
    settings.filter((one) => one.key === key).flatMap(({ value }) => wordsIn(value).map(expand));
  const command = (key: string): readonly string[] =>
    words(key).map((word, at) => (at === 0 ? word : word.replaceAll("$$", "$")));
  return {
    start: command("ExecStart"),
    startPost: command("ExecStartPost"),
    reload: command("ExecReload"),
    environment: Object.fromEntries(
      words("Environment").map((word) => {
        const at = word.indexOf("=");
        return [word.slice(0, at), word.slice(at + 1)];
      }),
    ),
    restartMs: Number(words("RestartSec")[0]) * 1_000,
    finalCodes: words("RestartPreventExitStatus").map(Number),
  };
}

/** Words between blanks, in double quotes or not, with `\` before what is meant as it is. */
function wordsIn(value: string): readonly string[] {
  return [...value.matchAll(/(?:"((?:\\.|[^"\\])*)"|((?:\\.|[^\s"\\])+))(?=\s|$)/g)].map(
    ([, quoted, plain]) => (quoted ?? plain ?? "").replace(/\\(.)/g, "$1"),
  );
}

function fail(what: string): never {
  throw new Error(`the unit says ${what}, which nobody reads here`);
}
