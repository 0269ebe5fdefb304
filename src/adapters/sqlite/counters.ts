/**
 * What runs add up to, kept by a trigger: per minute, per skill and day, per version. Views of the
 * past read these few rows, whatever number of runs there is.
 */
export const COUNTERS = `
CREATE TABLE run_minutes (
  minute INTEGER PRIMARY KEY,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  total REAL NOT NULL
) STRICT;
CREATE TABLE skill_days (
  day INTEGER NOT NULL,
  skill TEXT NOT NULL,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  total REAL NOT NULL,
  PRIMARY KEY (day, skill)
) STRICT, WITHOUT ROWID;
CREATE TABLE version_totals (
  skill TEXT NOT NULL,
  version TEXT NOT NULL,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  total REAL NOT NULL,
  bad INTEGER NOT NULL,
  first_at REAL NOT NULL,
  last_at REAL NOT NULL,
  last_seq INTEGER NOT NULL,
  PRIMARY KEY (skill, version)
) STRICT, WITHOUT ROWID;

INSERT INTO run_minutes
  SELECT CAST(started_at / 60000 AS INTEGER), count(*), count(score), total(score)
  FROM runs GROUP BY 1;
INSERT INTO skill_days
  SELECT CAST(started_at / 86400000 AS INTEGER), skill, count(*), count(score), total(score)
  FROM runs GROUP BY 1, 2;
INSERT INTO version_totals
  SELECT skill, version, count(*), count(score), total(score), 0, min(started_at), max(started_at),
    max(seq)
  FROM runs GROUP BY skill, version;
UPDATE version_totals SET bad = found.bad FROM (
  SELECT skill, version, count(*) AS bad FROM runs
  WHERE score IS NULL AND reward_status = 'bad-reward' GROUP BY skill, version
) AS found WHERE found.skill = version_totals.skill AND found.version = version_totals.version;

CREATE TRIGGER count_run AFTER INSERT ON runs BEGIN
  INSERT INTO run_minutes
    VALUES (CAST(NEW.started_at / 60000 AS INTEGER), 1, NEW.score IS NOT NULL, ifnull(NEW.score, 0.0))
    ON CONFLICT (minute) DO UPDATE SET runs = runs + 1, scored = scored + excluded.scored,
      total = total + excluded.total;
  INSERT INTO skill_days
    VALUES (CAST(NEW.started_at / 86400000 AS INTEGER), NEW.skill, 1, NEW.score IS NOT NULL,
      ifnull(NEW.score, 0.0))
    ON CONFLICT (day, skill) DO UPDATE SET runs = runs + 1, scored = scored + excluded.scored,
      total = total + excluded.total;
  INSERT INTO version_totals
    VALUES (NEW.skill, NEW.version, 1, NEW.score IS NOT NULL, ifnull(NEW.score, 0.0),
      NEW.reward_status = 'bad-reward', NEW.started_at, NEW.started_at, NEW.seq)
    ON CONFLICT (skill, version) DO UPDATE SET runs = runs + 1, scored = scored + excluded.scored,
      total = total + excluded.total, bad = bad + excluded.bad,
      first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),
      last_seq = excluded.last_seq;
END;

CREATE INDEX groups_by_time ON groups (at);
CREATE INDEX incidents_by_time ON incidents (opened_at, state);
CREATE INDEX releases_by_time ON releases (released_at);
`;
