import { checkAccounts, hasAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { AccountsDatabase } from '../database/tables.ts';
import { AccountsSealError } from '../errors.ts';
import { versionedSecrets, versionOf } from '../sessions/secrets.ts';
import { createSealing } from './sealing.ts';

/** Where second factors are stored, and the keys that seal them. */
export interface ResealOptions {
  readonly database: AccountsDatabase;
  /** Newest first. Must include every key that sealed a stored second factor. */
  readonly secretKeys: readonly Uint8Array[];
}

/**
 * Re-seals every second factor with the newest key, so that older keys can leave the ring. Safe to run beside servers:
 * a value that a user changes meanwhile stays, because the newest key sealed it.
 * @param options.lostSecrets versions of keys that are lost for good: second factors that they sealed are left as they are
 * @returns the number of re-sealed second factors
 * @throws AccountsOpenError; AccountsSealError if the ring lacks a key that sealed some of them. All others are
 * re-sealed.
 */
export async function resealSecondFactors({
  database,
  secretKeys,
  lostSecrets = [],
}: ResealOptions & { readonly lostSecrets?: readonly string[] }): Promise<{ resealed: number }> {
  // The installation has no accounts.
  if (!(await hasAccounts(database))) return { resealed: 0 };
  await checkAccounts(database);
  const secrets = versionedSecrets(secretKeys);
  const [{ version: currentVersion }] = secrets;
  const versions = new Set(secrets.map(({ version }) => version));
  const { open, seal } = createSealing(secrets);
  const reseal = async (sealed: string): Promise<string> => seal(await open(sealed));

  const db = await openDatabase(database);
  try {
    const rows = await db.selectFrom('staff_two_factors').select(['id', 'secret', 'backup_codes']).execute();
    let resealed = 0;
    let unopened = 0;
    for (const { id, secret, backup_codes } of rows) {
      const sealedBy = [secret, backup_codes].map(versionOf);
      if (sealedBy.every((version) => version === currentVersion)) continue;
      const unknown = sealedBy.filter((version) => !versions.has(version));
      if (unknown.length > 0) {
        if (!unknown.every((version) => lostSecrets.includes(String(version)))) unopened += 1;
        continue;
      }
      const { numUpdatedRows } = await db
        .updateTable('staff_two_factors')
        .set({ secret: await reseal(secret), backup_codes: await reseal(backup_codes) })
        .where('id', '=', id)
        .where('secret', '=', secret)
        .where('backup_codes', '=', backup_codes)
        .executeTakeFirstOrThrow();
      resealed += Number(numUpdatedRows);
    }
    if (unopened > 0) {
      const what = unopened === 1 ? '1 second factor is' : `${unopened} second factors are`;
      throw new AccountsSealError(
        `${what} sealed by a secret that SECRET_KEYS does not contain; all others are done`,
      );
    }
    return { resealed };
  } finally {
    await db.destroy();
  }
}

/**
 * Counts the second factors that an older key than the newest sealed. Changes nothing.
 * @throws AccountsOpenError
 */
export async function countOlderSecondFactors({ database, secretKeys }: ResealOptions): Promise<number> {
  if (!(await hasAccounts(database))) return 0;
  await checkAccounts(database);
  const [{ version: currentVersion }] = versionedSecrets(secretKeys);
  const db = await openDatabase(database);
  try {
    const rows = await db.selectFrom('staff_two_factors').select(['secret', 'backup_codes']).execute();
    const isOlder = (sealed: string) => versionOf(sealed) !== currentVersion;
    return rows.filter(({ secret, backup_codes }) => isOlder(secret) || isOlder(backup_codes)).length;
  } finally {
    await db.destroy();
  }
}
