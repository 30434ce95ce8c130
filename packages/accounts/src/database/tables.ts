import type { ColumnType, Kysely } from 'kysely';

/** Stops writes into a damaged file, whichever connection met the damage. A `SqliteStorage` is one. */
export interface WriteGuard {
  /** Throws `SERVICE_UNAVAILABLE` if the file was found damaged. */
  requireSound(): void;
  /** Records that the file is damaged. */
  stopWrites(cause: unknown): void;
}

/** The database of accounts: the service's database, with separate tables. */
export type AccountsDatabase =
  | {
      readonly kind: 'sqlite';
      /** The storage must have created the file. */
      readonly file: string;
      /** Shares with the storage whether the file is damaged. Without it, only its own operations that meet damage fail. */
      readonly writeGuard?: WriteGuard | undefined;
    }
  | {
      readonly kind: 'postgres';
      /** May point to PgBouncer in transaction mode. */
      readonly url: string;
      /** Address without the pooler, for migrations; default `url`. */
      readonly directUrl?: string | undefined;
    };

/** Text in SQLite, Date in Postgres; written as ISO 8601 in both. */
type Timestamp = ColumnType<string | Date, string, string>;
type OptionalTimestamp = ColumnType<string | Date | null, string | null | undefined, string | null>;
/** 0 or 1 in SQLite. */
type Flag = ColumnType<number | boolean, number | boolean | undefined, boolean>;

export interface Tables {
  staff_users: {
    id: string;
    name: string;
    email: string;
    role: string;
    client_id: string | null;
    team_role: string | null;
    two_factor_enabled: Flag;
    locale: string | null;
    password_allowed_until: OptionalTimestamp;
    ended_mark: ColumnType<string | null, string | undefined, string>;
    has_unverified_email: Flag;
    created_at: Timestamp;
    updated_at: Timestamp;
  };
  staff_accounts: {
    id: string;
    user_id: string;
    account_id: string;
    provider_id: string;
    password: string | null;
    created_at: Timestamp;
    updated_at: Timestamp;
  };
  staff_sessions: {
    id: ColumnType<never, string, never>;
    token: string;
    user_id: string;
    with_second_factor: Flag;
    last_seen_at: Timestamp;
    expires_at: Timestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    confirmed_at: ColumnType<string | Date | null, never, string>;
  };
  staff_identities: {
    id: string;
    user_id: string;
    issuer: string;
    subject: string;
    withdrawn_at: OptionalTimestamp;
    in_session: ColumnType<number | boolean, number | boolean | undefined, never>;
    created_at: Timestamp;
    used_at: OptionalTimestamp;
  };
  staff_passkeys: {
    id: string;
    user_id: string;
    credential_id: string;
    public_key: string;
    /** Text in Postgres. */
    counter: ColumnType<number | string, number, number>;
    name: string;
    created_at: Timestamp;
    used_at: OptionalTimestamp;
  };
  staff_two_factors: {
    id: string;
    user_id: string;
    secret: string;
    backup_codes: string;
    confirmed_at: ColumnType<string | Date | null, never, string>;
  };
  staff_invitations: { user_id: string; token_hash: string; expires_at: Timestamp };
  staff_withheld_invitations: {
    id: string;
    client_id: string;
    email: string;
    name: string;
    team_role: string;
    token_hash: string | null;
    expires_at: OptionalTimestamp;
    created_at: Timestamp;
  };
  staff_verifications: { value: string };
  staff_used_codes: { user_id: string; code_hash: string; used_at: Timestamp };
}

export type StaffDatabase = Kysely<Tables>;
