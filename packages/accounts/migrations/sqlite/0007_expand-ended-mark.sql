-- New whenever a user's identities are withdrawn or disconnected, so that links that were mailed before do not work again.
ALTER TABLE staff_users ADD COLUMN ended_mark TEXT;
