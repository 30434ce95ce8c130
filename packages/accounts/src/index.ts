export {
  type AccountsOptions,
  createAccounts,
  createStaffManagement,
  type StaffManagementOptions,
} from './create-accounts.ts';
export {
  checkAccounts,
  hasAccounts,
  migrateAccounts,
  moveUsersToLiveClients,
  pendingAccountChanges,
} from './database/migrate.ts';
export type {
  PostgresConnections,
  PostgresPool,
  PostgresRows,
  PostgresTransaction,
  PostgresValue,
  SimpleQuery,
} from './database/postgres-connections.ts';
export type { AccountsDatabase, WriteGuard } from './database/tables.ts';
export { AccountsCopyError, AccountsOpenError, type AccountsOpenErrorCode, AccountsSealError } from './errors.ts';
export { countOlderSecondFactors, type ResealOptions, resealSecondFactors } from './second-factor/reseal.ts';
export { type SealingSecret, secretsOfSecondFactors } from './second-factor/sealing-secrets.ts';
export {
  type ExaminedProvider,
  examineProviders,
  type ProviderProblem,
} from './single-sign-on/examine-providers.ts';
export type { ProviderSettings, SingleSignOnOptions } from './single-sign-on/settings.ts';
export { type CopiedAccounts, copyAccounts } from './transfer/copy-accounts.ts';
