export { createCountingIds } from './counting-ids.ts';
export { createCountingSecrets } from './counting-secrets.ts';
export { createFixedClock, type FixedClock } from './fixed-clock.ts';
export { createMemoryEvidenceStore } from './memory-evidence-store.ts';
export { createMemoryRateLimiter } from './memory-rate-limiter.ts';
export { createMemoryStaff, type MemoryStaff } from './memory-staff.ts';
export { createMemoryStorage, type MemoryStorage } from './memory-storage.ts';
export { createTrustingIntake } from './trusting-intake.ts';
