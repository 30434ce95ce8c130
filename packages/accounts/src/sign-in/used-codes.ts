import { hash } from 'node:crypto';
import type { Clock } from '@countersign/domain';
import { isOwnerGone } from '../database/refused-rows.ts';
import type { StaffDatabase } from '../database/tables.ts';

/** Longer than any code of a device is valid. */
const KEPT_MS = 10 * 60 * 1_000;

/** Sees to it that a code of a device opens an account once (RFC 6238, section 5.2); better-auth does not. */
export interface UsedCodes {
  /** False where the code was used before, or its owner was removed. Of several requests at once with one code, one gets true. */
  take(userId: string, code: string): Promise<boolean>;
  /** For a code that was wrong: it may be the right one of a later time. */
  giveBack(userId: string, code: string): Promise<void>;
}

export function createUsedCodes(database: () => Promise<StaffDatabase>, clock: Clock): UsedCodes {
  return {
    async take(userId, code) {
      const db = await database();
      const now = clock.now();
      await db
        .deleteFrom('staff_used_codes')
        .where('used_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
        .execute();
      const taken = await db
        .insertInto('staff_used_codes')
        .values({ user_id: userId, code_hash: hashOf(userId, code), used_at: now.toISOString() })
        .onConflict((conflict) => conflict.columns(['user_id', 'code_hash']).doNothing())
        .returning('user_id')
        .executeTakeFirst()
        .catch(unlessOwnerGone);
      return taken !== undefined;
    },
    async giveBack(userId, code) {
      const db = await database();
      await db
        .deleteFrom('staff_used_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hashOf(userId, code))
        .execute();
    },
  };
}

function unlessOwnerGone(error: unknown): undefined {
  if (!isOwnerGone(error)) throw error;
}

function hashOf(userId: string, code: string): string {
  return hash('sha256', `${userId} ${code}`, 'base64url');
}
