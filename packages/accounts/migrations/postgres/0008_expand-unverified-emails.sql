-- Whether a provider created the user with an e-mail address that it did not verify, and no one has made a link for them since.
ALTER TABLE staff_users ADD COLUMN has_unverified_email BOOLEAN NOT NULL DEFAULT false;
-- Users whom a provider created: their identity is as old as they are, and they have no password. Whether it verified the address is
-- not known of them.
UPDATE staff_users SET has_unverified_email = true
WHERE NOT EXISTS (SELECT 1 FROM staff_accounts WHERE user_id = staff_users.id AND password IS NOT NULL)
  AND EXISTS (
    SELECT 1 FROM staff_identities AS identity
    WHERE identity.user_id = staff_users.id AND identity.created_at <= staff_users.created_at + INTERVAL '10 seconds'
  );
