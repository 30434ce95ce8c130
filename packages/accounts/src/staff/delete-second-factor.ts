import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Deletes a user's second factor and passkeys. Passkeys need a second factor, whose backup codes remain when they are lost. */
export async function deleteSecondFactor(transaction: Transaction<Tables>, userId: string): Promise<void> {
  await transaction
    .updateTable('staff_users')
    .set((is) => ({ two_factor_enabled: is.lit(false) }))
    .where('id', '=', userId)
    .execute();
  await transaction.deleteFrom('staff_two_factors').where('user_id', '=', userId).execute();
  await transaction.deleteFrom('staff_passkeys').where('user_id', '=', userId).execute();
}
