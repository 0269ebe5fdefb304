import { openRepository } from "../../src/adapters/git/git-repository.ts";
import { release } from "./git-workspace.ts";

/** Releases without a pause until it is killed; tells each commit: `node git-release-process.ts <dir>`. */
const [, , dir = ""] = process.argv;
const repository = await openRepository({ dir, publish: "manual", branch: "" });
for (let n = 0; ; n += 1) {
  const text = `// ${String(process.pid)} ${String(n)}\n`;
  const commit = await release(repository, {
    "skills/greet/skill.ts": text,
    [`skills/greet/${String(process.pid)}-${String(n)}.txt`]: text,
  });
  process.stdout.write(`${commit}\n`);
}
