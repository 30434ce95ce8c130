ALTER TABLE staff_users ADD COLUMN team_role TEXT;
-- Whoever belongs to a client already is the one who was given its keys by an operator.
UPDATE staff_users SET team_role = 'owner' WHERE role = 'client';
ALTER TABLE staff_users ADD CONSTRAINT staff_users_known_team_role CHECK (team_role IN ('owner', 'agent', 'viewer'));
ALTER TABLE staff_users ADD CONSTRAINT staff_users_team_role_of_role CHECK ((role = 'client') = (team_role IS NOT NULL));
CREATE INDEX staff_users_of_client ON staff_users (client_id) WHERE client_id IS NOT NULL;

-- When the password was given again within the session.
ALTER TABLE staff_sessions ADD COLUMN confirmed_at TIMESTAMPTZ;
