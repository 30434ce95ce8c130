-- Whether the signed-in user connected the identity. It ends when a link sets the password, as passkeys do.
ALTER TABLE staff_identities ADD COLUMN in_session BOOLEAN NOT NULL DEFAULT false;
