-- Until when a user may use a password although passwords are switched off for their role.
ALTER TABLE staff_users ADD COLUMN password_allowed_until TEXT;
