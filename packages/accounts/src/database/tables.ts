import type { ColumnType, Kysely } from 'kysely';

/** A text in SQLite, a Date from Postgres; written as ISO 8601 in both. */
type Moment = ColumnType<string | Date, string, string>;
/** 0 or 1 in SQLite. */
type Truth = ColumnType<number | boolean, never, boolean>;

export interface Tables {
  staff_users: {
    id: string;
    name: string;
    email: string;
    role: string;
    client_id: string | null;
    team_role: string | null;
    two_factor_enabled: Truth;
    created_at: Moment;
    updated_at: Moment;
  };
  staff_accounts: {
    id: string;
    user_id: string;
    account_id: string;
    provider_id: string;
    password: string | null;
    created_at: Moment;
    updated_at: Moment;
  };
  staff_sessions: {
    token: string;
    user_id: string;
    with_second_factor: Truth;
    last_seen_at: Moment;
    expires_at: Moment;
    created_at: Moment;
    confirmed_at: ColumnType<string | Date | null, never, string>;
  };
  staff_two_factors: { id: string; user_id: string; secret: string; backup_codes: string };
  staff_invitations: { user_id: string; token_hash: string; expires_at: Moment };
  staff_verifications: { value: string };
  staff_used_codes: { user_id: string; code_hash: string; used_at: Moment };
}

export type StaffDatabase = Kysely<Tables>;
