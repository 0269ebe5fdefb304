/** Requests for new skills, with the examples that no proposer sees. */
export const BIRTHS = `
CREATE TABLE births (
  seq INTEGER PRIMARY KEY,
  incident_id TEXT NOT NULL UNIQUE REFERENCES incidents (id),
  skill TEXT NOT NULL,
  request ANY NOT NULL,
  verdict TEXT CHECK (verdict IN ('agrees', 'disagrees')),
  note TEXT NOT NULL
) STRICT;
CREATE INDEX births_by_skill ON births (skill, seq);
CREATE INDEX releases_by_incident ON releases (incident_id);
`;

/** What was refused before the ledger was lost, as far as git knows. */
export const REFUSALS = `
CREATE TABLE refusals (
  signature TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (signature, digest)
) STRICT, WITHOUT ROWID;
`;

/**
 * The ledger's first schema. `seq` is the order of arrival; times are milliseconds since the epoch
 * as REAL; ANY columns hold packed JSON (see packed.ts).
 */
export const FIRST_SCHEMA = `
CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  skill TEXT NOT NULL,
  input ANY NOT NULL,
  expectation ANY NOT NULL,
  source TEXT NOT NULL,
  created_at REAL NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  run_id TEXT,
  error TEXT
) STRICT;
CREATE INDEX tasks_by_state ON tasks (state, seq);

CREATE TABLE runs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task_id TEXT NOT NULL,
  skill TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at REAL NOT NULL,
  is_held_out INTEGER NOT NULL CHECK (is_held_out IN (0, 1)),
  reward_status TEXT NOT NULL CHECK (reward_status IN ('scored', 'unscored', 'bad-reward')),
  score REAL CHECK ((score IS NULL) = (reward_status <> 'scored') AND (score BETWEEN 0 AND 1)),
  reward ANY NOT NULL,
  input ANY NOT NULL,
  expectation ANY NOT NULL,
  trace ANY NOT NULL
) STRICT;
CREATE INDEX runs_by_skill ON runs (skill, is_held_out, seq);
CREATE INDEX runs_by_version ON runs (skill, version, seq, score, started_at);
CREATE INDEX runs_without_score ON runs (reward_status) WHERE score IS NULL;

CREATE TABLE held_out_looks (skill TEXT PRIMARY KEY, looks INTEGER NOT NULL) STRICT;

CREATE TABLE incidents (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  skill TEXT NOT NULL,
  version TEXT NOT NULL,
  signature TEXT NOT NULL,
  failure_class TEXT NOT NULL,
  summary TEXT NOT NULL,
  state TEXT NOT NULL,
  first_run_id TEXT NOT NULL,
  runs INTEGER NOT NULL,
  rejections INTEGER NOT NULL,
  opened_at REAL NOT NULL,
  retry_at REAL NOT NULL,
  note TEXT NOT NULL,
  UNIQUE (skill, version, signature)
) STRICT;
CREATE TABLE incident_runs (
  incident_id TEXT NOT NULL REFERENCES incidents (id),
  run_id TEXT NOT NULL,
  PRIMARY KEY (incident_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE groups (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  incident_id TEXT NOT NULL REFERENCES incidents (id),
  skill TEXT NOT NULL,
  signature TEXT NOT NULL,
  tried INTEGER NOT NULL,
  result TEXT NOT NULL,
  reason TEXT NOT NULL,
  duration_ms REAL NOT NULL,
  at REAL NOT NULL,
  diagnosis ANY NOT NULL
) STRICT;
CREATE INDEX groups_by_incident ON groups (incident_id, seq);
CREATE INDEX groups_by_signature ON groups (signature);

CREATE TABLE candidates (
  seq INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL REFERENCES groups (id),
  id TEXT NOT NULL,
  state TEXT NOT NULL,
  digest TEXT NOT NULL,
  reward REAL NOT NULL,
  advantage REAL,
  candidate ANY NOT NULL,
  UNIQUE (group_id, id)
) STRICT;
CREATE INDEX candidates_by_id ON candidates (id, seq);
CREATE INDEX candidates_by_state ON candidates (state, seq);

CREATE TABLE verdicts (
  candidate_seq INTEGER NOT NULL REFERENCES candidates (seq),
  position INTEGER NOT NULL,
  gate TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  duration_ms REAL NOT NULL,
  recorded ANY,
  PRIMARY KEY (candidate_seq, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE releases (
  seq INTEGER PRIMARY KEY,
  commit_id TEXT NOT NULL UNIQUE,
  skill TEXT NOT NULL,
  previous TEXT NOT NULL,
  incident_id TEXT,
  candidate_id TEXT,
  reverts TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'watching', 'kept', 'rolled-back', 'aborted')),
  released_at REAL NOT NULL,
  reason TEXT NOT NULL,
  evidence ANY NOT NULL
) STRICT;
CREATE INDEX releases_by_skill ON releases (skill, seq);
CREATE UNIQUE INDEX one_pending_release ON releases (skill) WHERE state = 'pending';

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at REAL NOT NULL,
  kind TEXT NOT NULL,
  skill TEXT,
  detail ANY NOT NULL
) STRICT;

CREATE TABLE kv (
  skill TEXT NOT NULL,
  key TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (skill, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE slots (
  schedule TEXT NOT NULL,
  slot TEXT NOT NULL,
  claimed_at REAL NOT NULL,
  PRIMARY KEY (schedule, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** What models were asked; a call whose end is not known costs what was set aside for it. */
export const MODEL_CALLS = `
CREATE TABLE model_calls (
  id TEXT PRIMARY KEY,
  at REAL NOT NULL,
  kind TEXT NOT NULL,
  skill TEXT NOT NULL,
  incident TEXT,
  model TEXT NOT NULL,
  reserved INTEGER NOT NULL,
  status TEXT NOT NULL,
  duration_ms REAL,
  prompt INTEGER,
  completion INTEGER,
  cached INTEGER
) STRICT;
CREATE INDEX model_calls_by_time ON model_calls (at);
CREATE INDEX model_calls_by_incident ON model_calls (incident);
`;

/** The time that was set aside for a call counts as its tokens do. */
export const MODEL_SECONDS = `
ALTER TABLE model_calls ADD COLUMN reserved_ms REAL NOT NULL DEFAULT 0;
`;

/** How models were asked, and whether it did better than the rest of its group. */
export const PULLS = `
CREATE TABLE pulls (
  seq INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL REFERENCES groups (id),
  position INTEGER NOT NULL,
  failure_class TEXT NOT NULL,
  arm TEXT NOT NULL,
  reward REAL NOT NULL CHECK (reward BETWEEN 0 AND 1),
  cost REAL NOT NULL CHECK (cost >= 0),
  UNIQUE (group_id, position)
) STRICT;
CREATE INDEX pulls_by_class ON pulls (failure_class, seq);
`;
