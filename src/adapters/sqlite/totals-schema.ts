/**
 * Counts that answer at once however long the ledger is. They are kept in the transaction of what
 * they count, and outlive it: a run that is pruned stays in them. What the ledger holds when they
 * are introduced is counted here, once, in the transaction of the migration.
 */
export const TOTALS = `
CREATE TABLE version_totals (
  skill TEXT NOT NULL,
  version TEXT NOT NULL,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  sum REAL NOT NULL,
  best REAL,
  first_at REAL NOT NULL,
  last_at REAL NOT NULL,
  last_seq INTEGER NOT NULL,
  PRIMARY KEY (skill, version)
) STRICT, WITHOUT ROWID;
INSERT INTO version_totals
  SELECT skill, version, count(*), count(score), total(score), max(score), min(started_at),
    max(started_at), max(seq)
  FROM runs GROUP BY skill, version;

CREATE TABLE hours (
  hour INTEGER PRIMARY KEY,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  sum REAL NOT NULL
) STRICT;
INSERT INTO hours
  SELECT CAST(started_at / 3600000 AS INTEGER) AS hour, count(*), count(score), total(score)
  FROM runs GROUP BY hour;

CREATE TABLE skill_days (
  skill TEXT NOT NULL,
  day INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  sum REAL NOT NULL,
  PRIMARY KEY (skill, day)
) STRICT, WITHOUT ROWID;
INSERT INTO skill_days
  SELECT skill, CAST(started_at / 86400000 AS INTEGER) AS day, count(*), count(score), total(score)
  FROM runs GROUP BY skill, day;

CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO counts SELECT 'task ' || state, count(*) FROM tasks GROUP BY state;
INSERT INTO counts SELECT 'run ' || reward_status, count(*) FROM runs WHERE score IS NULL
  GROUP BY reward_status;
CREATE TRIGGER task_added AFTER INSERT ON tasks BEGIN
  INSERT INTO counts VALUES ('task ' || new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER task_moved AFTER UPDATE OF state ON tasks WHEN old.state <> new.state BEGIN
  UPDATE counts SET n = n - 1 WHERE name = 'task ' || old.state;
  INSERT INTO counts VALUES ('task ' || new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE INDEX incidents_by_state ON incidents (state, seq);
CREATE INDEX incidents_by_skill ON incidents (skill, seq);
CREATE INDEX releases_by_state ON releases (state, seq);
DROP INDEX runs_without_score;
`;

/** Days of all skills are read from the index alone: sixty days of a thousand skills. */
export const DAYS = `
DROP INDEX skill_days_by_day;
CREATE INDEX skill_days_by_day ON skill_days (day, skill, runs, scored, sum);
`;
