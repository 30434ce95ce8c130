export { ALL_SUITES } from './all-suites.ts';
export { evidenceStoreContract } from './evidence-contract.ts';
export { type RateLimiterSubject, rateLimiterContract } from './rate-limiter-contract.ts';
export { staffContract } from './staff-contract.ts';
export { storageContract } from './storage-contract.ts';
export type { Case, Suite } from './suite.ts';
export { EVIDENCE_SUITES } from './suites/evidence.ts';
export { RATE_LIMIT_SUITES, type RateLimitersUnderTest } from './suites/rate-limits.ts';
export { STAFF_SUITES, type StaffSubject } from './suites/staff.ts';
