import type { Database } from "better-sqlite3";
import { HoneError } from "../../domain/errors.ts";
import type { Verdict } from "../../domain/gate.ts";
import type { CandidateRecord, GroupRecord, Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

type GroupRow = Omit<GroupRecord, "diagnosis"> & {
  readonly diagnosis: Packed<GroupRecord["diagnosis"]>;
};

type CandidateRow = Pick<CandidateRecord, "groupId" | "state" | "advantage"> & {
  readonly seq: number;
  readonly candidate: Packed<CandidateRecord["candidate"]>;
  readonly reward: number;
};

type VerdictRow = Omit<Verdict, "recorded"> & {
  readonly recorded: Packed<NonNullable<Verdict["recorded"]>> | null;
};

type GroupMethods = Pick<
  Store,
  "addGroup" | "groups" | "candidate" | "candidates" | "setCandidate" | "refusedDigests" | "refuse"
>;

/**
 * Groups with their candidates and verdicts. A candidate that comes up in a second group is kept in
 * both; asked for by its id, the newer one answers.
 */
export function groupsIn(db: Database): GroupMethods {
  const groups = db.prepare<[string], GroupRow>(
    `SELECT id, incident_id AS incidentId, skill, signature, tried, result, reason,
       duration_ms AS durationMs, at, diagnosis
     FROM groups WHERE incident_id = ? ORDER BY seq DESC`,
  );
  const change = db.prepare(
    `UPDATE candidates SET state = ?
     WHERE seq = (SELECT max(seq) FROM candidates WHERE id = ?)`,
  );
  const refused = db.prepare<[string], string>(
    `SELECT DISTINCT digest FROM groups CROSS JOIN candidates ON group_id = groups.id
     WHERE signature = ? AND state = 'rejected' ORDER BY candidates.seq`,
  );
  const refusedBefore = db
    .prepare<[string], string>("SELECT digest FROM refusals WHERE signature = ?")
    .pluck();
  const refuse = db.prepare("INSERT INTO refusals VALUES (?, ?) ON CONFLICT DO NOTHING");
  const add = additionTo(db);

  return {
    addGroup: (group, candidates) => add.immediate(group, candidates),
    groups: (incidentId) =>
      groups.all(incidentId).map((row) => ({ ...row, diagnosis: unpack(row.diagnosis) })),
    setCandidate(id, state) {
      if (change.run(state, id).changes === 0) {
        throw new HoneError("not-found", `the ledger knows no candidate ${id}`);
      }
    },
    refusedDigests: (signature) => [
      ...new Set([...refusedBefore.all(signature), ...refused.pluck().all(signature)]),
    ],
    refuse(signature, digest) {
      refuse.run(signature, digest);
    },
    ...candidatesIn(db),
  };
}

function candidatesIn(db: Database): Pick<Store, "candidate" | "candidates"> {
  const columns = "candidates.seq, group_id AS groupId, state, advantage, reward, candidate";
  const byId = db.prepare<[string], CandidateRow>(
    `SELECT ${columns} FROM candidates WHERE id = ? ORDER BY seq DESC LIMIT 1`,
  );
  const listed = (condition: string) =>
    db.prepare<[object], CandidateRow>(
      `SELECT ${columns} FROM candidates JOIN groups ON groups.id = candidates.group_id
       ${condition} ORDER BY groups.seq DESC, candidates.seq LIMIT :limit`,
    );
  const all = listed("");
  const ofGroup = listed("WHERE group_id = :groupId");
  const inState = listed("WHERE state = :state");
  const ofGroupInState = listed("WHERE group_id = :groupId AND +state = :state");
  const verdicts = db.prepare<[number], VerdictRow>(
    `SELECT gate, status, reason, duration_ms AS durationMs, recorded FROM verdicts
     WHERE candidate_seq = ? ORDER BY position`,
  );
  const recordOf = (row: CandidateRow): CandidateRecord => {
    const candidate = unpack(row.candidate);
    return {
      candidate,
      groupId: row.groupId,
      state: row.state,
      advantage: row.advantage,
      verification: {
        candidateId: candidate.id,
        verdicts: verdicts.all(row.seq).map(verdictOf),
        reward: row.reward,
      },
    };
  };
  const readOne = db.transaction((id: string) => {
    const row = byId.get(id);
    return row === undefined ? null : recordOf(row);
  });
  const readAll = db.transaction((list: typeof all, bound: object): readonly CandidateRecord[] =>
    list.all(bound).map(recordOf),
  );

  return {
    candidate: (id) => readOne.deferred(id),
    /** Newest group first; within a group in the order in which they were tried. */
    candidates: ({ groupId, state, limit }) => {
      if (groupId === undefined) {
        return state === undefined
          ? readAll.deferred(all, { limit })
          : readAll.deferred(inState, { state, limit });
      }
      return state === undefined
        ? readAll.deferred(ofGroup, { groupId, limit })
        : readAll.deferred(ofGroupInState, { groupId, state, limit });
    },
  };
}

function additionTo(db: Database) {
  const addGroup = db.prepare(
    `INSERT INTO groups (id, incident_id, skill, signature, tried, result, reason, duration_ms, at,
       diagnosis)
     VALUES (:id, :incidentId, :skill, :signature, :tried, :result, :reason, :durationMs, :at,
       :diagnosis)
     ON CONFLICT (id) DO NOTHING`,
  );
  const addCandidate = db.prepare(
    `INSERT INTO candidates (group_id, id, state, digest, reward, advantage, candidate)
     VALUES (:groupId, :id, :state, :digest, :reward, :advantage, :candidate)`,
  );
  const addVerdict = db.prepare(
    `INSERT INTO verdicts (candidate_seq, position, gate, status, reason, duration_ms, recorded)
     VALUES (:candidateSeq, :position, :gate, :status, :reason, :durationMs, :recorded)`,
  );

  return db.transaction((group: GroupRecord, candidates: readonly CandidateRecord[]): void => {
    if (addGroup.run({ ...group, diagnosis: pack(group.diagnosis) }).changes === 0) return;
    for (const { candidate, state, verification, advantage } of candidates) {
      const { lastInsertRowid: candidateSeq } = addCandidate.run({
        groupId: group.id,
        id: candidate.id,
        state,
        digest: candidate.digest,
        reward: verification.reward,
        advantage,
        candidate: pack(candidate),
      });
      verification.verdicts.forEach(({ recorded, ...verdict }, position) => {
        const rules = recorded === undefined ? null : pack(recorded);
        addVerdict.run({ ...verdict, candidateSeq, position, recorded: rules });
      });
    }
  });
}

function verdictOf({ recorded, ...verdict }: VerdictRow): Verdict {
  return recorded === null ? verdict : { ...verdict, recorded: unpack(recorded) };
}
