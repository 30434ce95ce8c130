import { CountersignError } from '@countersign/domain';
import type { DBAdapter } from 'better-auth';
import { AccountsFault } from '../errors.ts';
import { type VersionedSecret, versionOf } from '../sessions/secrets.ts';

/** The sealed columns of a second factor, by better-auth's names. */
const SEALED = ['secret', 'backupCodes'] as const;

/**
 * Rejects the reading of a second factor with `SERVICE_UNAVAILABLE` if the ring lacks the secret that sealed it: a server
 * that was not restarted after a rotation lacks the new secret, and a restart with it mends that. better-auth would fail
 * with an error that does not say so.
 */
export function withKnownSecrets(adapter: DBAdapter, secrets: readonly VersionedSecret[]): DBAdapter {
  const known = new Set(secrets.map(({ version }) => version));
  return {
    ...adapter,
    async findOne<R>(input: Parameters<DBAdapter['findOne']>[0]): Promise<R | null> {
      const found = await adapter.findOne<R & { readonly [column: string]: unknown }>(input);
      if (input.model !== 'twoFactor' || found === null) return found;
      for (const column of SEALED) {
        const version = versionOf(String(found[column]));
        // better-auth reports a value without a version.
        if (!Number.isNaN(version) && !known.has(version)) throw unknownSecret();
      }
      return found;
    },
  };
}

function unknownSecret(): CountersignError {
  const cause = new AccountsFault(
    'UNKNOWN_KEY',
    'A second factor is sealed by a secret that SECRET_KEYS does not contain',
  );
  return new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause });
}
