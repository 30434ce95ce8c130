import { expect, it } from 'vitest';
import { SUBJECT_MAILS } from './subject-mails.ts';

it('no event queues two mails, which would have the same id', () => {
  const events = Object.values(SUBJECT_MAILS).flatMap(({ after }) => after);
  expect(events).toEqual([...new Set(events)]);
});
