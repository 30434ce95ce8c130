-- Which identity at an identity provider belongs to which user. `withdrawn_at`: the provider gives the user no role any more.
CREATE TABLE staff_identities (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES staff_users (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  withdrawn_at TEXT,
  created_at TEXT NOT NULL,
  used_at TEXT,
  CONSTRAINT staff_identities_one_user UNIQUE (issuer, subject),
  CONSTRAINT staff_identities_one_of_an_issuer UNIQUE (user_id, issuer)
);
