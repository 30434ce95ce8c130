/**
 * The folders in `src` of each package that has many, lowest first: a folder imports from itself and those before it.
 * So a reader can begin at the first and meets nothing that is explained later. Files beside the folders may import all.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const FOLDERS = {
  'packages/domain': [
    ...['input', 'evidence', 'mail', 'fields', 'subscription', 'retention', 'rate-limit'],
    ...['access', 'audit', 'staff', 'verification', 'webhooks', 'exports', 'mailing', 'sandbox', 'erasure'],
    ...['transfer', 'actions', 'core', 'entries'],
  ],
  'packages/accounts': [
    ...['database', 'estimator', 'credentials', 'staff', 'sessions', 'better-auth'],
    ...['sign-in', 'passkeys', 'single-sign-on', 'transfer'],
  ],
  'packages/storage-sqlite': ['connection', 'rows', 'file', 'repositories', 'reader', 'transfer'],
  'packages/storage-postgres': ['connection', 'rows', 'database', 'repositories', 'transfer'],
  'packages/web': [
    ...['locales', 'site', 'forms', 'docs', 'verify', 'staff', 'account', 'exports', 'actions'],
    ...['dashboard', 'review', 'admin'],
  ],
  'apps/server': [
    ...['config', 'logging', 'database', 'serve', 'evidence', 'metrics', 'tracing'],
    ...['composition', 'backup', 'commands'],
  ],
};
