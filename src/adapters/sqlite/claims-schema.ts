/** What clients say of runs; a claimant has one row for a question, with the last word. */
export const CLAIMS = `
CREATE TABLE claims (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  skill TEXT NOT NULL,
  subject TEXT NOT NULL,
  door TEXT NOT NULL CHECK (door IN ('cli', 'script', 'api', 'mcp')),
  name TEXT NOT NULL,
  run_id TEXT NOT NULL,
  version TEXT NOT NULL,
  incident_id TEXT REFERENCES incidents (id),
  expectation ANY NOT NULL,
  reason TEXT NOT NULL,
  at REAL NOT NULL,
  times INTEGER NOT NULL,
  UNIQUE (skill, subject, door, name)
) STRICT;
CREATE INDEX claims_by_incident ON claims (incident_id);
CREATE INDEX claims_by_time ON claims (at);
`;
