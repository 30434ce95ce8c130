export {
  createMemoryAccounts,
  MEMORY_CODE,
  MEMORY_SECOND_FACTOR,
  type MemoryAccounts,
} from './memory-accounts.ts';
export { createMemoryErasureLog } from './memory-erasure-log.ts';
export { createMemoryEvidenceStore } from './memory-evidence-store.ts';
export { createMemoryMailer, type MemoryMailer } from './memory-mailer.ts';
export { memoryPasskeyAnswer } from './memory-passkeys.ts';
export { createMemoryRateLimiter } from './memory-rate-limiter.ts';
export { createMemoryStaff, type MemoryStaff } from './memory-staff.ts';
export { createMemoryStorage, type MemoryStorage } from './memory-storage.ts';
export { createCountingIds, createCountingSecrets, createFixedClock, type FixedClock } from './predictable.ts';
export { createTrustingIntake } from './trusting-intake.ts';
