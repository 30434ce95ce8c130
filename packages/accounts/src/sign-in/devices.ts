import { hash, randomBytes } from 'node:crypto';
import { isStorableText } from '@countersign/domain';
import { normalEmail } from '@countersign/domain/staff';
import type { StaffDatabase } from '../database/tables.ts';
import type { CookieJar } from '../sessions/cookies.ts';

/** An account by the e-mail address typed at sign-in, or by its user's id. */
export type AccountKey = { readonly email: string } | { readonly userId: string };

/**
 * Remembers on which devices an account signed in, so that wrong passwords from elsewhere do not lock out its user
 * there (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). Nothing is stored: a signed cookie holds a
 * random id of the device and, for each account, a hash that changes with the password.
 */
export interface Devices {
  /** Returns the id of the device if the account signed in on it with its current password; else null. */
  find(cookies: string | undefined, account: AccountKey): Promise<string | null>;
  /** Returns the `Set-Cookie` lines that remember an account that has signed in; none for an unknown account. */
  remember(cookies: string | undefined, account: AccountKey): Promise<readonly string[]>;
}

const ID_BYTES = 16;

/** Accounts that a shared device remembers, latest first. */
const ACCOUNTS_MAX = 5;

const REMEMBERED_SECONDS = 365 * 24 * 60 * 60;

export function createDevices(database: () => Promise<StaffDatabase>, cookies: CookieJar): Devices {
  const { device: name } = cookies.names;

  function read(header: string | undefined): { id: string; marks: readonly string[] } | null {
    const [id, ...marks] = cookies.read(header, name)?.split('.') ?? [];
    return id === undefined ? null : { id, marks };
  }

  /** Returns the hash that an account has on a device; null for an account without a password. */
  async function markOf(id: string, account: AccountKey): Promise<string | null> {
    const [column, value] =
      'email' in account ? (['email', normalEmail(account.email)] as const) : (['id', account.userId] as const);
    if (!isStorableText(value)) return null;
    const db = await database();
    const row = await db
      .selectFrom('staff_users')
      .innerJoin('staff_accounts', 'staff_accounts.user_id', 'staff_users.id')
      .select(['staff_users.id', 'password'])
      .where(`staff_users.${column}`, '=', value)
      .where('provider_id', '=', 'credential')
      .executeTakeFirst();
    const password = row?.password ?? null;
    return row === undefined || password === null
      ? null
      : hash('sha256', `${id} ${row.id} ${password}`, 'base64url');
  }

  return {
    async find(header, account) {
      const device = read(header);
      if (device === null) return null;
      const mark = await markOf(device.id, account);
      return mark !== null && device.marks.includes(mark) ? device.id : null;
    },

    async remember(header, account) {
      const device = read(header) ?? { id: randomBytes(ID_BYTES).toString('base64url'), marks: [] };
      const mark = await markOf(device.id, account);
      if (mark === null) return [];
      const marks = [mark, ...device.marks.filter((other) => other !== mark)].slice(0, ACCOUNTS_MAX);
      return [cookies.keep(name, [device.id, ...marks].join('.'), REMEMBERED_SECONDS)];
    },
  };
}
