import { execFileSync } from "node:child_process";

/** A history to be made: so many skills, each changed so often after its first commit. */
export type LargeRepository = { readonly skills: number; readonly changes: number };

const WHO = "Ann <ann@example.com>";

export function nameOf(skill: number): string {
  return `skill-${String(skill).padStart(4, "0")}`;
}

/**
 * Puts skills and a history of them on the branches `main` and `hone` of a repository, by `git
 * fast-import`. One commit has them all; each later one changes one skill, in turn.
 */
export function growRepository(dir: string, { skills, changes }: LargeRepository): void {
  const first = Array.from({ length: skills }, (_, skill) => filesOf(skill, 0).join("")).join("");
  const stream = [commit("all skills", "from refs/heads/main^0\n", first)];
  for (let change = 1; change <= skills * changes; change += 1) {
    const skill = change % skills;
    stream.push(commit(`skill(${nameOf(skill)}): edition ${change}`, "", sourceOf(skill, change)));
  }
  git(dir, ["fast-import", "--quiet", "--force"], stream.join(""));
  git(dir, ["reset", "--quiet", "--hard", "main"]);
  git(dir, ["update-ref", "refs/heads/hone", "main"]);
  git(dir, ["repack", "-a", "-d", "-q"]);
}

/** The commits that changed a skill's folder last, by its name. */
export function versionsIn(dir: string, skills: number): ReadonlyMap<string, string> {
  const log = git(dir, ["log", "--format=commit %H", "--name-only", "main", "--", "skills"]);
  const versions = new Map<string, string>();
  let at = "";
  for (const line of log.split("\n")) {
    if (line.startsWith("commit ")) at = line.slice(7);
    const [, name] = /^skills\/([^/]+)\//.exec(line) ?? [];
    if (name !== undefined && !versions.has(name)) versions.set(name, at);
  }
  if (versions.size < skills) throw new Error(`${versions.size} skills have versions`);
  return versions;
}

function git(dir: string, args: readonly string[], input = ""): string {
  const most = 512 * 2 ** 20;
  return execFileSync("git", [...args], { cwd: dir, encoding: "utf8", input, maxBuffer: most });
}

let clock = Math.floor(Date.now() / 1_000) - 1_000_000;

function commit(subject: string, from: string, files: string): string {
  clock += 1;
  const head = `commit refs/heads/main\ncommitter ${WHO} ${clock} +0000\n`;
  return `${head}${data(subject)}${from}${files}`;
}

function filesOf(skill: number, edition: number): readonly string[] {
  const name = nameOf(skill);
  const manifest = `---
name: ${name}
description: Adds ${skill} to a number, as the skill number ${skill} of many does.
metadata:
  kind: function
  reward: { threshold: 1, parts: [{ use: code, weight: 1, with: {} }] }
---
`;
  const cases = [0, 1, 2].map((a) =>
    JSON.stringify({ name: `from ${a}`, input: { a }, expect: a + skill }),
  );
  return [
    file(`skills/${name}/SKILL.md`, manifest),
    sourceOf(skill, edition),
    file(`skills/${name}/cases.jsonl`, `${cases.join("\n")}\n`),
  ];
}

function sourceOf(skill: number, edition: number): string {
  const text = `/** Edition ${edition}. */\nexport function add(a: number): number {\n  return a + ${skill};\n}\n`;
  return file(`skills/${nameOf(skill)}/skill.ts`, text);
}

function file(path: string, text: string): string {
  return `M 100644 inline ${path}\n${data(text)}`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
