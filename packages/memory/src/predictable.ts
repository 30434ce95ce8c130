import { createHash, createHmac } from 'node:crypto';
import type { Clock, Ids, SealingSecrets } from '@countersign/domain';

/** A clock that `set` and `advance` move, and nothing else. */
export interface FixedClock extends Clock {
  set(moment: Date | string): void;
  /** Moves the clock by milliseconds; a negative number moves it back. */
  advance(milliseconds: number): void;
}

const DEFAULT_START = '2026-01-15T12:00:00.000Z';

/**
 * Creates a clock for tests that advances only when the test advances it.
 *
 * @param start the time at first; default 2026-01-15T12:00:00Z
 *
 * @example
 * const clock = createFixedClock('2026-03-01T10:00:00Z');
 * clock.advance(60_000);
 * clock.now().toISOString(); // '2026-03-01T10:01:00.000Z'
 */
export function createFixedClock(start: Date | string = DEFAULT_START): FixedClock {
  let present = new Date(start).getTime();
  return {
    now: () => new Date(present),
    set: (moment) => {
      present = new Date(moment).getTime();
    },
    advance: (milliseconds) => {
      present += milliseconds;
    },
  };
}

/**
 * Creates ids for tests: UUIDs of version 7 that count up.
 *
 * @example
 * createCountingIds().next(); // '00000000-0000-7000-8000-000000000001'
 */
export function createCountingIds(): Ids {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return `00000000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
    },
  };
}

/**
 * Creates secrets for tests and trials only: real hashes, but random bytes that count up, a published signing key, and
 * sealed texts that anyone can read.
 *
 * @example
 * createCountingSecrets().randomHex(4); // '00000001'
 */
export function createCountingSecrets(): SealingSecrets {
  let count = 0;
  const sign = (text: string) => createHmac('sha256', 'for tests only').update(text).digest('base64url');
  const randomHex = (bytes: number) => {
    count += 1;
    return count.toString(16).padStart(bytes * 2, '0');
  };
  return {
    randomHex,
    randomBase64: (bytes) => Buffer.from(randomHex(bytes), 'hex').toString('base64'),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    sign,
    verify: (text, signature) => signature === sign(text),
    label: (key, purpose, text) =>
      createHmac('sha256', `${key} ${purpose}`).update(text).digest().subarray(0, 16).toString('base64url'),
    seal(content, purpose) {
      const text = Buffer.from(content).toString('base64url');
      return `${text}.${sign(`${purpose}\n${text}`)}`;
    },
    open(sealed, purpose) {
      const [text = '', signature] = sealed.split('.');
      return signature === sign(`${purpose}\n${text}`) ? Buffer.from(text, 'base64url') : null;
    },
  };
}
