-- The language of mails to the user: of the pages on which they last signed in, or of the user who invited them.
ALTER TABLE staff_users ADD COLUMN locale TEXT;
