import { checkAccounts, hasAccounts } from '@countersign/accounts';
import { isOpenError } from '../database/choose-database.ts';
import type { Database } from '../database/database.ts';
import type { Findings } from '../database/findings.ts';

/** State of the tables of users. */
export interface AccountFacts {
  /** Whether a server can use them, or creates them when it starts. */
  readonly usable: boolean;
}

/**
 * Checks the tables of users, which have migrations of their own.
 * @param settings.migrate whether a server creates tables that are missing
 */
export async function examineAccounts(
  accounts: Database['accounts'],
  { migrate }: { readonly migrate: boolean },
): Promise<Findings<AccountFacts>> {
  try {
    if (!migrate || (await hasAccounts(accounts))) await checkAccounts(accounts);
    return { facts: { usable: true }, lines: [], problems: [] };
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return { facts: { usable: false }, lines: [], problems: [error.message] };
  }
}
