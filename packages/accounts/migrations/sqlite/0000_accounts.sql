-- better-auth stores dates as ISO 8601 texts in UTC and booleans as 0 and 1.
CREATE TABLE staff_users (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  email_verified INTEGER NOT NULL DEFAULT 0,
  image TEXT,
  role TEXT NOT NULL,
  client_id TEXT,
  team_role TEXT,
  two_factor_enabled INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT staff_users_known_role CHECK (role IN ('client', 'reviewer', 'operator')),
  CONSTRAINT staff_users_client_of_role CHECK ((role = 'client') = (client_id IS NOT NULL)),
  CONSTRAINT staff_users_known_team_role CHECK (team_role IN ('owner', 'agent', 'viewer')),
  CONSTRAINT staff_users_team_role_of_role CHECK ((role = 'client') = (team_role IS NOT NULL)),
  CONSTRAINT staff_users_email_in_lower_case CHECK (email = lower(email))
);
CREATE INDEX staff_users_of_client ON staff_users (client_id) WHERE client_id IS NOT NULL;

CREATE TABLE staff_accounts (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES staff_users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  password TEXT,
  access_token TEXT,
  refresh_token TEXT,
  id_token TEXT,
  access_token_expires_at TEXT,
  refresh_token_expires_at TEXT,
  scope TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT staff_accounts_one_of_a_kind UNIQUE (user_id, provider_id)
);

-- `token` is a hash. `confirmed_at`: when the password was last entered again in this session.
CREATE TABLE staff_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES staff_users (id) ON DELETE CASCADE,
  token TEXT NOT NULL UNIQUE,
  with_second_factor INTEGER NOT NULL,
  last_seen_at TEXT NOT NULL,
  confirmed_at TEXT,
  expires_at TEXT NOT NULL,
  ip_address TEXT,
  user_agent TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX staff_sessions_of_user ON staff_sessions (user_id);

CREATE TABLE staff_verifications (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX staff_verifications_by_identifier ON staff_verifications (identifier);

-- `secret` and `backup_codes` are sealed.
CREATE TABLE staff_two_factors (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE REFERENCES staff_users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  backup_codes TEXT NOT NULL,
  verified INTEGER NOT NULL,
  failed_verification_count INTEGER NOT NULL DEFAULT 0,
  locked_until TEXT
);

-- One-time links: at most one for each user.
CREATE TABLE staff_invitations (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES staff_users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  expires_at TEXT NOT NULL
);

-- Recently used codes: a code is accepted once.
CREATE TABLE staff_used_codes (
  user_id TEXT NOT NULL REFERENCES staff_users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  used_at TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
