export { apiKeys } from './api-keys.ts';
export { auditEntries } from './audit-entries.ts';
export { clients, subscriptions, usage } from './clients.ts';
export { verificationEvents } from './verification-events.ts';
export { verifications } from './verifications.ts';
