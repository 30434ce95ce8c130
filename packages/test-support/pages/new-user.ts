import { type AccountsDatabase, createStaffManagement } from '@countersign/accounts';
import type { NewUser } from '@countersign/domain/staff';
import { createSystemClock } from '@countersign/runtime';
import { connectPostgres } from '@countersign/storage-postgres';
import type { ServerProcess } from '../processes/server-process.ts';

/** A user without a password. */
export interface InvitedUser {
  readonly id: string;
  /** The path of the one-time link that sets their password. */
  readonly path: string;
}

/**
 * Creates a user in a running server's database, in this process, because the command `user create` takes half a second of
 * processor time.
 */
export async function newUser(
  place: Pick<ServerProcess, 'databaseFile' | 'env'>,
  input: NewUser,
): Promise<InvitedUser> {
  const staff = await createStaffManagement({ database: databaseOf(place), clock: createSystemClock() });
  try {
    const made = await staff.create(input);
    if (made.outcome === 'exists') throw new Error(`${input.email} has an account`);
    return { id: made.user.id, path: made.invitationPath };
  } finally {
    await staff.close();
  }
}

function databaseOf({ databaseFile, env }: Pick<ServerProcess, 'databaseFile' | 'env'>): AccountsDatabase {
  const url = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  return url?.startsWith('postgres')
    ? { kind: 'postgres', connections: connectPostgres({ url }) }
    : { kind: 'sqlite', file: databaseFile };
}
