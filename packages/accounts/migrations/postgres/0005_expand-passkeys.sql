-- WebAuthn credentials of users. `public_key`: COSE, in base64url. `counter`: of the last signature.
CREATE TABLE staff_passkeys (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES staff_users (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  name TEXT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  used_at TIMESTAMPTZ,
  CONSTRAINT staff_passkeys_one_credential UNIQUE (credential_id)
);
CREATE INDEX staff_passkeys_of_user ON staff_passkeys (user_id);
