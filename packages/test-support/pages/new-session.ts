import { createHmac, hash, hkdfSync, randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { define } from '../installation/database-file.ts';
import { withDatabase } from '../installation/postgres-database.ts';
import { secretKeysOf } from '../installation/secret-keys.ts';
import type { ServerProcess } from '../processes/server-process.ts';

type Place = Pick<ServerProcess, 'databaseFile' | 'dataDir' | 'env'>;

const HOUR_MS = 3_600_000;

/**
 * Sets a user's password and signs them in, in the server's database, as the page of their one-time link does. The page
 * itself costs a server a second of processor time: the dictionaries of passwords and a slow hash. The
 * tests of accounts and `newMemberByLink` open it.
 * @returns the session's `Cookie` header
 */
export async function newSession(place: Place, userId: string, password: string): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const at = new Date();
  const [now, end] = [at, new Date(at.getTime() + 12 * HOUR_MS)].map((time) => time.toISOString());
  // Each value is a UUID, a time, base64 or hexadecimal.
  await execute(
    place,
    `BEGIN;
     INSERT INTO staff_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
     VALUES ('${randomUUID()}', '${userId}', '${userId}', 'credential', '${hashOf(password)}', '${now}', '${now}');
     DELETE FROM staff_invitations WHERE user_id = '${userId}';
     INSERT INTO staff_sessions
       (id, user_id, token, with_second_factor, last_seen_at, expires_at, created_at, updated_at)
     VALUES ('${randomUUID()}', '${userId}', '${hash('sha256', token, 'base64url')}', FALSE, '${now}', '${end}', '${now}', '${now}');
     COMMIT;`,
  );
  const signature = createHmac('sha256', cookieSecretOf(place)).update(token).digest('base64');
  return `countersign.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

async function execute({ databaseFile, env }: Place, sql: string): Promise<void> {
  const url = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  if (url?.startsWith('postgres')) await withDatabase(url, (database) => database.unsafe(sql).simple());
  else define(databaseFile, sql);
}

const hashes = new Map<string, string>();

/** Returns the hash of a password as accounts stores it, computed once: it takes a tenth of a second. */
function hashOf(password: string): string {
  const salt = '5a17'.repeat(8);
  const made =
    hashes.get(password) ??
    `${salt}:${scryptSync(password.normalize('NFKC'), salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }).toString('hex')}`;
  hashes.set(password, made);
  return made;
}

/** Returns the secret that signs the server's cookies, derived from its newest secret key. */
function cookieSecretOf(place: Place): string {
  const [newest = ''] = secretKeysOf(place);
  return Buffer.from(hkdfSync('sha256', newest, '', 'countersign accounts secret', 32)).toString('base64url');
}
