import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import type { StaffDatabase } from '../database/tables.ts';
import { hashOfToken } from '../database/token-hash.ts';
import type { CookieJar } from '../sessions/cookies.ts';

/** A sign-in that waits for a second factor. */
export interface PendingSignIn {
  /** The value of its cookie. */
  readonly challenge: string;
  readonly userId: string;
}

/** Sign-ins that wait for a second factor, for ten minutes. Only hashes of their cookies are stored. */
export interface Challenges {
  begin(userId: string): Promise<{ readonly challenge: string; readonly setCookie: string }>;
  /** Returns the pending sign-in of a browser. */
  find(cookies: string | undefined): Promise<PendingSignIn | null>;
  /** Ends a pending sign-in. Of several calls at the same time, one gets true. */
  end(challenge: string): Promise<boolean>;
}

const CHALLENGE_SECONDS = 600;
const CHALLENGE_BYTES = 20;

export function createChallenges(
  database: () => Promise<StaffDatabase>,
  cookies: CookieJar,
  clock: Clock,
): Challenges {
  const { challenge: name } = cookies.names;

  return {
    async begin(userId) {
      const db = await database();
      const now = clock.now();
      const at = now.toISOString();
      const expiresAt = new Date(now.getTime() + CHALLENGE_SECONDS * 1_000).toISOString();
      const challenge = `2fa-${randomBytes(CHALLENGE_BYTES).toString('base64url')}`;
      const rowOf = (identifier: string, value: string) => ({
        id: randomUUID(),
        identifier: hashOfToken(identifier),
        value,
        expires_at: expiresAt,
        created_at: at,
        updated_at: at,
      });
      await db.deleteFrom('staff_verifications').where('expires_at', '<=', at).execute();
      await db
        .insertInto('staff_verifications')
        .values([rowOf(challenge, userId), rowOf(attemptsOf(challenge), '0')])
        .execute();
      return { challenge, setCookie: cookies.keep(name, challenge, CHALLENGE_SECONDS) };
    },

    async find(header) {
      const challenge = cookies.read(header, name);
      if (challenge === null) return null;
      const db = await database();
      const row = await db
        .selectFrom('staff_verifications')
        .select('value')
        .where('identifier', '=', hashOfToken(challenge))
        .where('expires_at', '>', clock.now().toISOString())
        .executeTakeFirst();
      return row === undefined ? null : { challenge, userId: row.value };
    },

    async end(challenge) {
      const db = await database();
      const identifier = hashOfToken(challenge);
      const ended = await db
        .deleteFrom('staff_verifications')
        .where('identifier', 'in', [identifier, hashOfToken(attemptsOf(challenge))])
        .where('expires_at', '>', clock.now().toISOString())
        .returning('identifier')
        .execute();
      return ended.some((row) => row.identifier === identifier);
    },
  };
}

/** Servers of 0.4 and earlier count a challenge's attempts in a row of its own, without which they accept no code. */
function attemptsOf(challenge: string): string {
  return `2fa-attempts-${challenge}`;
}
