import { expect, it } from 'vitest';
import { dueAt, isOverdue } from './due-time.ts';

const SUBMITTED = new Date('2026-03-01T10:00:00.000Z');

it('a decision is due hours after the submission, and without either never', () => {
  expect(dueAt(SUBMITTED, 24)).toEqual(new Date('2026-03-02T10:00:00.000Z'));
  expect([dueAt(null, 24), dueAt(SUBMITTED, null)]).toEqual([null, null]);
});

it('a decision is overdue after its due time', () => {
  const due = new Date('2026-03-02T10:00:00.000Z');
  expect([isOverdue(due, due), isOverdue(due, new Date(due.getTime() + 1)), isOverdue(null, due)]).toEqual([
    false,
    true,
    false,
  ]);
});
