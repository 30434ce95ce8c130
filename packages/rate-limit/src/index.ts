export { createMemoryRateLimiter } from './memory-rate-limiter.ts';
