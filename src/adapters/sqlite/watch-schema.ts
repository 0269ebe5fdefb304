/** Runs repeated on the other version while a release is under watch, and alarms of drift. */
export const WATCH = `
CREATE TABLE shadows (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  skill TEXT NOT NULL,
  release_id TEXT NOT NULL,
  before REAL NOT NULL CHECK (before BETWEEN 0 AND 1),
  after REAL NOT NULL CHECK (after BETWEEN 0 AND 1),
  is_same INTEGER NOT NULL CHECK (is_same IN (0, 1)),
  at REAL NOT NULL
) STRICT;
CREATE INDEX shadows_by_release ON shadows (release_id, seq);

CREATE TABLE alarms (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  skill TEXT NOT NULL,
  cause TEXT NOT NULL,
  text TEXT NOT NULL,
  raised_at REAL NOT NULL,
  over_at REAL
) STRICT;
CREATE UNIQUE INDEX one_alarm ON alarms (kind, skill, cause) WHERE over_at IS NULL;
`;
