import { aGitWorkspace } from "../../support/git-workspace.ts";
import { repositoryContract } from "../../contracts/repository.contract.ts";

for (const prefix of ["", "deep/work space"]) {
  repositoryContract(`git, workspace at "${prefix}"`, async (t, settings) => {
    const workspace = await aGitWorkspace(t, { prefix });
    return {
      repository: await workspace.open(settings),
      commit: (files) => workspace.commit(files),
      reset: () => void workspace.git("reset", "--quiet", "--hard", "HEAD~1"),
      write: (files) => workspace.write(files),
    };
  });
}
