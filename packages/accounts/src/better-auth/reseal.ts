import { checkAccounts, hasAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { AccountsDatabase } from '../database/tables.ts';
import { AccountsSealError } from '../errors.ts';
import { versionedSecrets } from './secrets.ts';

export interface ResealOptions {
  readonly database: AccountsDatabase;
  /** Newest first; those that sealed what is there must be among them. */
  readonly secretKeys: readonly Uint8Array[];
}

/**
 * Seals every second factor by the newest key, so that older ones may leave the ring. May run beside servers: what
 * a user changes during the re-sealing keeps the user's value, which the newest key sealed.
 * @returns how many were sealed anew
 * @throws AccountsOpenError; AccountsSealError where the ring lacks a key that sealed some of them; all others are done
 */
export async function resealSecondFactors({ database, secretKeys }: ResealOptions): Promise<{ resealed: number }> {
  // An installation without accounts.
  if (!(await hasAccounts(database))) return { resealed: 0 };
  await checkAccounts(database);
  const secrets = versionedSecrets(secretKeys);
  const [{ version: currentVersion }] = secrets;
  const key = { currentVersion, keys: new Map(secrets.map(({ version, value }) => [version, value])) };
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const anew = async (data: string): Promise<string> =>
    symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });

  const db = await openDatabase(database);
  try {
    const rows = await db.selectFrom('staff_two_factors').select(['id', 'secret', 'backup_codes']).execute();
    let resealed = 0;
    let unopened = 0;
    for (const { id, secret, backup_codes } of rows) {
      const sealedBy = [secret, backup_codes].map(versionOf);
      if (sealedBy.every((version) => version === currentVersion)) continue;
      if (!sealedBy.every((version) => key.keys.has(version))) {
        unopened += 1;
        continue;
      }
      const { numUpdatedRows } = await db
        .updateTable('staff_two_factors')
        .set({ secret: await anew(secret), backup_codes: await anew(backup_codes) })
        .where('id', '=', id)
        .where('secret', '=', secret)
        .where('backup_codes', '=', backup_codes)
        .executeTakeFirstOrThrow();
      resealed += Number(numUpdatedRows);
    }
    if (unopened > 0) {
      const what = unopened === 1 ? '1 second factor is' : `${unopened} second factors are`;
      throw new AccountsSealError(`${what} sealed by a key that SECRET_KEYS no longer holds; all others are done`);
    }
    return { resealed };
  } finally {
    await db.destroy();
  }
}

/** The version of the secret, which better-auth writes in front of what it seals: `$ba$version$…`. */
function versionOf(sealed: string): number {
  return Number(/^\$ba\$(\d+)\$/.exec(sealed)?.[1] ?? Number.NaN);
}
