export { type ResealOptions, resealSecondFactors } from './better-auth/reseal.ts';
export {
  type AccountsOptions,
  createAccounts,
  createStaffManagement,
  type StaffManagementOptions,
} from './create-accounts.ts';
export type { AccountsDatabase } from './database/accounts-database.ts';
export { migrateAccounts } from './database/migrate.ts';
export { AccountsCopyError, AccountsOpenError, type AccountsOpenErrorCode, AccountsSealError } from './errors.ts';
export { type CopiedAccounts, copyAccounts } from './transfer/copy-accounts.ts';
