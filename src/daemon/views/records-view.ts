import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import type { ReleaseRecord } from "../../ports/store.ts";
import { candidateView } from "./candidate-view.ts";
import { incidentView } from "./incident-view.ts";
import type { Workspace } from "../workspace.ts";

type Records = Pick<Operations, "incident" | "candidate" | "releases" | "evidence">;

/** Releases in one answer, unless it is said otherwise. */
const PAGE = 50;

/** The operations that show one record of the ledger or of git whole. */
export function recordsOf({ house }: Pick<Workspace, "house">): Records {
  return {
    incident: async ({ id }) => await incidentView(id, house),
    candidate: async ({ id }) => await candidateView(id, house),
    async releases({ skill, limit = PAGE, before }) {
      const found = house.store.releases({
        limit,
        ...(skill === undefined ? {} : { skill }),
        ...(before === undefined ? {} : { before }),
      });
      const next = found.length < limit ? null : (found.at(-1)?.commit ?? null);
      return { schemaVersion: 1, releases: found.map(releaseRow), next };
    },
    evidence: async ({ commit }) => await evidenceOf(commit, house),
  };
}

function releaseRow({ evidence, ...release }: ReleaseRecord): JsonObject {
  const { rewardBefore = null, rewardAfter = null, approvedBy = null } = evidence ?? {};
  const proposer = evidence?.origin.proposer ?? null;
  return { ...release, rewardBefore, rewardAfter, approvedBy, proposer };
}

/** The evidence that a commit carries, as it stands in git, and whether it is what the commit names. */
async function evidenceOf(commit: string, { repository, sha256 }: House): Promise<JsonObject> {
  const info = await repository.info(commit);
  const text = await repository.evidence(info.commit);
  if (text === null) {
    throw new HoneError("not-found", `commit ${commit} carries no evidence`, {
      hint: "Only releases made by hone do; `hone log <skill>` lists them.",
    });
  }
  const { trailers, subject, at, author, parents } = info;
  const named = trailers["Hone-Evidence"] ?? null;
  const digest = `sha256:${sha256(text)}`;
  const evidence = JSON.parse(text) as JsonObject;
  const told = { commit: info.commit, parents, at, author, subject, trailers };
  return { schemaVersion: 1, ...told, digest, named, isWhole: digest === named, evidence };
}
