import type { Kysely } from 'kysely';
import type { Columns, ColumnTypeOf } from './columns.ts';
import type { PostgresConnections } from './postgres-connections.ts';

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
      /** Those of the storage, so that the server has one driver and one pool. */
      readonly connections: PostgresConnections;
    };

const text = { kind: 'text' } as const;
const optionalText = { kind: 'text', nullable: true } as const;
const flag = { kind: 'flag' } as const;
const moment = { kind: 'moment' } as const;
const optionalMoment = { kind: 'moment', nullable: true } as const;

/** The tables that a copy writes, in an order in which each refers only to earlier ones. Each has the key `id`. */
export const COPIED_TABLES = {
  staff_users: {
    id: text,
    name: text,
    email: text,
    email_verified: flag,
    image: optionalText,
    role: text,
    client_id: optionalText,
    team_role: optionalText,
    two_factor_enabled: flag,
    locale: optionalText,
    password_allowed_until: optionalMoment,
    ended_mark: optionalText,
    has_unverified_email: flag,
    created_at: moment,
    updated_at: moment,
  },
  staff_accounts: {
    id: text,
    user_id: text,
    account_id: text,
    provider_id: text,
    password: optionalText,
    created_at: moment,
    updated_at: moment,
  },
  staff_identities: {
    id: text,
    user_id: text,
    issuer: text,
    subject: text,
    withdrawn_at: optionalMoment,
    in_session: flag,
    created_at: moment,
    used_at: optionalMoment,
  },
  staff_two_factors: {
    id: text,
    user_id: text,
    secret: text,
    backup_codes: text,
    verified: flag,
    confirmed_at: optionalMoment,
  },
  staff_passkeys: {
    id: text,
    user_id: text,
    credential_id: text,
    public_key: text,
    counter: { kind: 'integer' },
    name: text,
    created_at: moment,
    used_at: optionalMoment,
  },
  staff_withheld_invitations: {
    id: text,
    client_id: text,
    email: text,
    name: text,
    team_role: text,
    token_hash: { kind: 'text', nullable: true, ofLink: true },
    expires_at: { kind: 'moment', nullable: true, ofLink: true },
    created_at: moment,
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Sessions and one-time links, which are not copied. */
type OtherTables = {
  staff_sessions: {
    id: typeof text;
    token: typeof text;
    user_id: typeof text;
    with_second_factor: typeof flag;
    last_seen_at: typeof moment;
    expires_at: typeof moment;
    created_at: typeof moment;
    updated_at: typeof moment;
    confirmed_at: typeof optionalMoment;
  };
  staff_invitations: { user_id: typeof text; token_hash: typeof text; expires_at: typeof moment };
  staff_verifications: {
    id: typeof text;
    identifier: typeof text;
    value: typeof text;
    expires_at: typeof moment;
    created_at: typeof moment;
    updated_at: typeof moment;
  };
  staff_used_codes: { user_id: typeof text; code_hash: typeof text; used_at: typeof moment };
};

type TableTypes<T> = { [K in keyof T]: { -readonly [C in keyof T[K]]: ColumnTypeOf<T[K][C]> } };

export type Tables = TableTypes<typeof COPIED_TABLES & OtherTables>;

export type StaffDatabase = Kysely<Tables>;
