import { randomUUID } from 'node:crypto';
import { type Clock, CountersignError } from '@countersign/domain';
import type { SecondFactorSetup, User } from '@countersign/domain/staff';
import { newBackupCodes } from '../credentials/backup-codes.ts';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import { unlessUserGone } from '../errors.ts';
import { lockUser } from '../staff/invitations.ts';
import { isDeviceCode, newDeviceSecret, setUpOf } from './device-codes.ts';
import type { Sealing } from './sealing.ts';

/**
 * Devices that show codes, and backup codes. Attempts are not counted here.
 * All operations that open a sealed value reject with `SERVICE_UNAVAILABLE` if the ring lacks the secret that sealed it.
 */
export interface SecondFactors {
  /** Begins a set-up in place of one that was not confirmed. Null if the user has a confirmed one, or was removed. */
  begin(user: Pick<User, 'id' | 'email'>): Promise<SecondFactorSetup | null>;
  /**
   * Confirms the set-up with a code of the device, and ends the sessions that began without it: an attacker who knows the password may
   * hold one. False if the code is wrong, or the set-up has ended.
   */
  confirm(userId: string, code: string): Promise<boolean>;
  /** Whether the user's device shows the code. */
  isCode(userId: string, code: string): Promise<boolean>;
  /**
   * Uses a backup code of a confirmed second factor up. False if it is wrong or was used.
   * @throws CountersignError `SERVICE_UNAVAILABLE` if the stored codes change during every attempt
   */
  useBackupCode(userId: string, code: string): Promise<boolean>;
  /** Checks that the user's second factor can be opened. */
  requireSecret(userId: string): Promise<void>;
}

/** Maximum number of attempts to use a backup code up: each of the nine others may be used meanwhile, and a reseal may run. */
const ATTEMPTS = 12;

/** Where and how second factors are stored. */
export interface SecondFactorParts {
  readonly database: () => Promise<StaffDatabase>;
  readonly kind: AccountsDatabase['kind'];
  readonly sealing: Sealing;
  readonly clock: Clock;
  /** The name that authenticator apps show. */
  readonly appName: string;
}

export function createSecondFactors(parts: SecondFactorParts): SecondFactors {
  const { database, kind, sealing, clock, appName } = parts;

  /** Finds a second factor that can be opened. */
  async function find(userId: string) {
    const db = await database();
    const stored = await db
      .selectFrom('staff_two_factors')
      .select(['secret', 'backup_codes', 'verified'])
      .where('user_id', '=', userId)
      .executeTakeFirst();
    for (const sealed of stored === undefined ? [] : [stored.secret, stored.backup_codes]) {
      sealing.requireSecret(sealed);
    }
    return stored;
  }

  async function isCodeOf({ secret }: { readonly secret: string }, code: string): Promise<boolean> {
    return isDeviceCode(await sealing.open(secret), code, clock.now());
  }

  return {
    async begin({ id, email }) {
      const [secret, backupCodes] = [newDeviceSecret(), newBackupCodes()];
      const sealed = {
        secret: await sealing.seal(secret),
        backup_codes: await sealing.seal(JSON.stringify(backupCodes)),
      };
      const db = await database();
      const begun = await db
        .insertInto('staff_two_factors')
        .values((is) => ({ id: randomUUID(), user_id: id, ...sealed, verified: is.lit(false) }))
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet(sealed)
            .where((is) => is('staff_two_factors.verified', '=', is.lit(false))),
        )
        .returning('id')
        .executeTakeFirst()
        .catch(unlessUserGone);
      if (begun === undefined) return null;
      return { ...(await setUpOf(secret, { issuer: appName, email })), backupCodes };
    },

    async confirm(userId, code) {
      const found = await find(userId);
      if (found === undefined || !(await isCodeOf(found, code))) return false;
      const db = await database();
      return db.transaction().execute(async (transaction) => {
        if (!(await lockUser(transaction, userId, kind))) return false;
        const confirmed = await transaction
          .updateTable('staff_two_factors')
          .set((is) => ({ verified: is.lit(true), confirmed_at: clock.now().toISOString() }))
          .where('user_id', '=', userId)
          // Not of a set-up that has begun meanwhile, of which the user may have no device.
          .where('secret', '=', found.secret)
          .returning('id')
          .executeTakeFirst();
        if (confirmed === undefined) return false;
        await transaction
          .updateTable('staff_users')
          .set((is) => ({ two_factor_enabled: is.lit(true) }))
          .where('id', '=', userId)
          .execute();
        await transaction
          .deleteFrom('staff_sessions')
          .where('user_id', '=', userId)
          .where((is) => is('with_second_factor', '=', is.lit(false)))
          .execute();
        return true;
      });
    },

    async isCode(userId, code) {
      const found = await find(userId);
      return found !== undefined && Boolean(found.verified) && (await isCodeOf(found, code));
    },

    async useBackupCode(userId, code) {
      // Another code that is used meanwhile, or a reseal, changes the stored list. This code stays right.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await find(userId);
        if (found === undefined || !found.verified) return false;
        const codes = codesIn(await sealing.open(found.backup_codes));
        if (!codes.includes(code)) return false;
        const rest = codes.filter((other) => other !== code);
        const db = await database();
        const used = await db
          .updateTable('staff_two_factors')
          .set({ backup_codes: await sealing.seal(JSON.stringify(rest)) })
          .where('user_id', '=', userId)
          .where('backup_codes', '=', found.backup_codes)
          .returning('id')
          .executeTakeFirst();
        if (used !== undefined) return true;
      }
      throw new CountersignError('SERVICE_UNAVAILABLE', 'The backup codes keep changing');
    },

    requireSecret: async (userId) => void (await find(userId)),
  };
}

/** Parses the opened list of backup codes. */
function codesIn(text: string): string[] {
  const codes: unknown = JSON.parse(text);
  if (!Array.isArray(codes)) throw new TypeError('backup codes are not a list');
  return codes.map(String);
}
