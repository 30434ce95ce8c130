/**
 * A session ends 12 hours after it began, and after an hour in which nobody used it (NIST SP 800-63B-4, section 2.2.3,
 * asks for no more than 24 hours and 1 hour of those who may read personal data).
 */
export const SESSION_SECONDS: number = 12 * 60 * 60;
export const IDLE_MS: number = 60 * 60 * 1_000;

/** That a session is in use is written down at most this often. */
export const SEEN_EVERY_MS: number = 5 * 60 * 1_000;
