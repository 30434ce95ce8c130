export { auditEntries } from './audit-entries.ts';
export { apiKeys, clients, subscriptions, usage } from './clients.ts';
export { verificationEvents, verifications } from './verifications.ts';
