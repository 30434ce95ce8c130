import { randomUUID } from 'node:crypto';
import { type Clock, isStorableText } from '@countersign/domain';
import { PASSKEYS_MAX, type Passkey, type User } from '@countersign/domain/staff';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import { lockUser } from '../staff/invitations.ts';
import { columnsOf, USER_COLUMNS, userOf } from '../staff/users.ts';

/** A passkey with its public key. */
export interface StoredPasskey {
  readonly id: string;
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** The counter of the last signature; 0 for authenticators without a counter. */
  readonly counter: number;
  readonly user: User;
}

/** Longer ids than authenticators make (WebAuthn, section 5.8.3: at most 1,023 bytes) are not looked up. */
const CREDENTIAL_ID_MAX = 1_400;

export async function listPasskeys(
  db: StaffDatabase,
  userId: string,
): Promise<(Passkey & { credentialId: string })[]> {
  if (!isStorableText(userId)) return [];
  const rows = await db
    .selectFrom('staff_passkeys')
    .select(['id', 'credential_id', 'name', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(passkeyOf);
}

/** Finds a passkey by the untrusted id of its credential. */
export async function findPasskey(db: StaffDatabase, credentialId: string): Promise<StoredPasskey | null> {
  if (credentialId.length > CREDENTIAL_ID_MAX || !isStorableText(credentialId)) return null;
  const row = await db
    .selectFrom('staff_passkeys')
    .innerJoin('staff_users', 'staff_users.id', 'staff_passkeys.user_id')
    .select(USER_COLUMNS.map((column) => `staff_users.${column}` as const))
    .select(['staff_passkeys.id as passkey_id', 'public_key', 'counter'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { passkey_id: id, public_key: publicKey, counter, ...user } = row;
  return { id, credentialId, publicKey, counter: Number(counter), user: userOf(user) };
}

/**
 * Stores a passkey of a user who has set up a second factor.
 * @returns `refused` without a second factor, or if another passkey has the credential
 */
export function insertPasskey(
  db: StaffDatabase,
  given: {
    readonly userId: string;
    readonly name: string;
    readonly credentialId: string;
    readonly publicKey: string;
    readonly counter: number;
  },
  { clock, kind }: { readonly clock: Clock; readonly kind: AccountsDatabase['kind'] },
): Promise<Passkey | 'refused' | 'too_many'> {
  const { userId, name, credentialId, publicKey, counter } = given;
  return db.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, userId, kind))) return 'refused';
    const user = await columnsOf(transaction, userId, ['two_factor_enabled']);
    if (!user?.two_factor_enabled) return 'refused';
    if ((await listPasskeys(transaction, userId)).length >= PASSKEYS_MAX) return 'too_many';
    const row = await transaction
      .insertInto('staff_passkeys')
      .values({
        id: randomUUID(),
        user_id: userId,
        credential_id: credentialId,
        public_key: publicKey,
        counter,
        name,
        created_at: clock.now().toISOString(),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(['id', 'credential_id', 'name', 'created_at', 'used_at'])
      .executeTakeFirst();
    return row === undefined ? 'refused' : passkeyOf(row);
  });
}

/** Records a use. Returns false if the passkey was removed or used in the meantime. */
export async function recordPasskeyUse(
  db: StaffDatabase,
  passkeyId: string,
  { counter, now }: { readonly counter: { readonly from: number; readonly to: number }; readonly now: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('staff_passkeys')
    .set({ counter: counter.to, used_at: now.toISOString() })
    .where('id', '=', passkeyId)
    .where('counter', '=', counter.from)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePasskey(db: StaffDatabase, userId: string, passkeyId: string): Promise<boolean> {
  if (!isStorableText(userId) || !isStorableText(passkeyId)) return false;
  const row = await db
    .deleteFrom('staff_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', passkeyId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

type PasskeyRow = {
  readonly id: string;
  readonly credential_id: string;
  readonly name: string;
  readonly created_at: string | Date;
  readonly used_at: string | Date | null;
};

function passkeyOf({
  id,
  credential_id,
  name,
  created_at,
  used_at,
}: PasskeyRow): Passkey & { credentialId: string } {
  return {
    id,
    name,
    credentialId: credential_id,
    createdAt: new Date(created_at),
    usedAt: used_at === null ? null : new Date(used_at),
  };
}
