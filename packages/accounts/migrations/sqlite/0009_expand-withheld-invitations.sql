-- Invitations into a team whose address has a user elsewhere. The team sees them as users who have not joined. Their links set no password.
CREATE TABLE staff_withheld_invitations (
  id TEXT NOT NULL PRIMARY KEY,
  client_id TEXT NOT NULL,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  team_role TEXT NOT NULL,
  token_hash TEXT UNIQUE,
  expires_at TEXT,
  created_at TEXT NOT NULL,
  CONSTRAINT staff_withheld_invitations_one_of_an_address UNIQUE (client_id, email),
  CONSTRAINT staff_withheld_invitations_known_team_role CHECK (team_role IN ('owner', 'agent', 'viewer'))
);
