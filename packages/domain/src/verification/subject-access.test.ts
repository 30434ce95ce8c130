import { expect, it } from 'vitest';
import { SUBJECT_SESSION_IDLE_MS } from './subject-access.ts';

it('SUBJECT_SESSION_IDLE_MS: a browser that was not used for eight hours must open the link again', () => {
  expect(SUBJECT_SESSION_IDLE_MS).toBe(28_800_000);
});
