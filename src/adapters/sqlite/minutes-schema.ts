/**
 * Runs by the minute in the place of those by the hour, so that the first hour of a workspace can be
 * seen as well, and what else the past is asked for by its time.
 */
export const MINUTES = `
CREATE TABLE minutes (
  minute INTEGER PRIMARY KEY,
  runs INTEGER NOT NULL,
  scored INTEGER NOT NULL,
  sum REAL NOT NULL
) STRICT;
INSERT INTO minutes
  SELECT CAST(started_at / 60000 AS INTEGER) AS minute, count(*), count(score), total(score)
  FROM runs GROUP BY minute;
DROP TABLE hours;
CREATE INDEX skill_days_by_day ON skill_days (day, skill, runs, scored, sum);
CREATE INDEX groups_by_time ON groups (at);
CREATE INDEX incidents_by_time ON incidents (opened_at, state);
CREATE INDEX releases_by_time ON releases (released_at);
`;
