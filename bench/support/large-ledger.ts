import { mkdirSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { migrate } from "../../src/adapters/sqlite/migrations.ts";
import {
  BIRTHS,
  FIRST_SCHEMA,
  MODEL_CALLS,
  PULLS,
  REFUSALS,
} from "../../src/adapters/sqlite/schema.ts";

/** The schema before runs were counted as they came: opening such a ledger migrates all of it. */
const OLD = [FIRST_SCHEMA, REFUSALS, BIRTHS, MODEL_CALLS, PULLS];

/** Runs are spread over this time up to now. */
const DAYS = 90;

/**
 * Writes a ledger with so many runs of the versions given, spread over 90 days, each with its task,
 * a trace and a reward; of a hundred runs one is short of its reward and belongs to an incident. It
 * is of an older hone.
 */
export function growLedger(
  file: string,
  versions: ReadonlyMap<string, string>,
  runs: number,
): void {
  mkdirSync(path.dirname(file), { recursive: true });
  using closing = new DisposableStack();
  const db = closing.adopt(new Database(file), (open) => open.close());
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  migrate(db, OLD);
  db.exec("CREATE TEMP TABLE served (at INTEGER PRIMARY KEY, skill TEXT, version TEXT)");
  const serve = db.prepare("INSERT INTO served VALUES (?, ?, ?)");
  db.transaction(() =>
    [...versions].forEach(([skill, version], at) => serve.run(at, skill, version)),
  )();
  const start = Date.now() - DAYS * 86_400_000;
  const each = (DAYS * 86_400_000) / runs;
  const skills = versions.size;
  for (const sql of [
    tasks(),
    runRows(),
    incidents(),
    groups(),
    candidates(),
    releases(),
    events(),
  ]) {
    const bound = { runs, skills, start, each };
    db.transaction(() => db.prepare(sql).run(bound))();
  }
  db.pragma("journal_mode = WAL");
}

const NUMBERS = `WITH RECURSIVE numbers (n) AS
  (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < CAST(:runs AS INTEGER))`;
const SKILL = "served.at = n % CAST(:skills AS INTEGER)";
const HUNDREDTHS = `${NUMBERS}, hundredths (n) AS (SELECT n FROM numbers WHERE n % 101 = 7)`;

function tasks(): string {
  return `${NUMBERS} INSERT INTO tasks (id, skill, input, expectation, source, created_at, state, run_id)
    SELECT 'task-' || n, skill, '{"a":' || (n % 1000) || '}', 'null', 'api', :start + n * :each, 'done', 'run-' || n
    FROM numbers JOIN served ON ${SKILL}`;
}

function runRows(): string {
  const trace = `'{"environment":{"now":1,"seed":7},"grants":[],"steps":[],"logs":[{"level":"info","text":"' ||
    printf('%0200d', n) || '"}],"outcome":{"status":"returned","value":' || n || '},"usage":{"wallMs":3,"cpuMs":2,"heapBytes":4096}}'`;
  const score = "CASE WHEN n % 101 = 7 THEN 0.0 ELSE 1.0 END";
  return `${NUMBERS} INSERT INTO runs (id, task_id, skill, version, started_at, is_held_out,
      reward_status, score, reward, input, expectation, trace)
    SELECT 'run-' || n, 'task-' || n, skill, version, :start + n * :each, n % 10 = 0, 'scored', ${score},
      '{"status":"scored","score":' || ${score} || ',"components":{"code.outcome":' || ${score} || '}}',
      '{"a":' || (n % 1000) || '}', 'null', ${trace}
    FROM numbers JOIN served ON ${SKILL}`;
}

/** One of seven is still open. */
function incidents(): string {
  return `${HUNDREDTHS} INSERT INTO incidents (id, skill, version, signature, failure_class, summary, state,
      first_run_id, runs, rejections, opened_at, retry_at, note)
    SELECT 'incident-' || n, skill, version, 'signature ' || n, 'wrong-value', 'a wrong value',
      CASE WHEN n % 7 = 0 THEN 'open' ELSE 'closed' END, 'run-' || n, 1, 0, :start + n * :each, 0, ''
    FROM hundredths JOIN served ON ${SKILL}`;
}

function groups(): string {
  return `INSERT INTO groups (id, incident_id, skill, signature, tried, result, reason, duration_ms, at, diagnosis)
    SELECT 'group-' || id, id, skill, signature, 40, 'no-change', 'nothing passed', 900, opened_at + 1000,
      '{"suspicions":[]}' FROM incidents WHERE :runs + :skills + :start + :each > 0`;
}

function candidates(): string {
  return `INSERT INTO candidates (group_id, id, state, digest, reward, advantage, candidate)
    SELECT groups.id, 'candidate-' || groups.seq || '-' || value, 'rejected', groups.seq || '-' || value, 0, NULL,
      json_object('id', 'candidate-' || groups.seq, 'skill', skill, 'source', printf('%0800d', groups.seq))
    FROM groups, json_each('[1,2,3,4]') WHERE :runs + :skills + :start + :each > 0`;
}

/** Each skill's version is a release; a tenth of them are under watch. */
function releases(): string {
  return `INSERT INTO releases (commit_id, skill, previous, state, released_at, reason, evidence)
    SELECT version, skill, 'before', CASE WHEN at % 10 = 0 THEN 'watching' ELSE 'kept' END,
      :start + at * :each * :runs / :skills, 'a repair', 'null' FROM served`;
}

function events(): string {
  return `INSERT INTO events (at, kind, skill, detail)
    SELECT opened_at, 'incident.opened', skill, json_object('incident', id) FROM incidents
    WHERE :runs + :skills + :start + :each > 0`;
}
