import type { QueueSubjectView, ReviewQueueItem } from '@countersign/domain';
import { describe, expect, it } from 'vitest';
import { aPage, drawn } from '../../test-support/drawn.ts';
import {
  DecisionCell,
  DocumentCell,
  DueTime,
  SubjectCell,
  Waited,
  WaitingCell,
  WarningsBadge,
  WarningsCell,
} from './queue-cells.tsx';

const page = aPage();
const at = (time: string) => new Date(`2026-01-15T${time}:00.000Z`);
const now = at('13:30');

const ITEM: ReviewQueueItem = {
  id: '00000000-0000-7000-8000-000000000004',
  clientId: 'client-1',
  clientName: 'Acme Bank',
  type: 'kyc',
  subjectReference: 'user_1',
  status: 'submitted',
  requestedAt: at('08:00'),
  submittedAt: at('12:00'),
  dueAt: null,
  claim: null,
  severity: null,
  endedBy: null,
};

const READ: QueueSubjectView = {
  state: 'read',
  name: 'Ada Lovelace',
  document: 'id_card',
  country: 'DE',
  isResubmitted: false,
  warnings: 2,
};

describe('the cell of a subject', () => {
  const cell = (subject: QueueSubjectView | undefined, item: Partial<ReviewQueueItem> = {}) =>
    drawn(<SubjectCell item={{ ...ITEM, ...item }} subject={subject} page={page} query="?type=kyc" />);

  it.each<[what: string, subject: QueueSubjectView | undefined, item: Partial<ReviewQueueItem>, words: string]>([
    ['a name and the reference', READ, {}, 'Ada Lovelace user_1'],
    ['the reference alone', { ...READ, name: null }, {}, 'user_1'],
    ['the reference of a case that is gone', undefined, {}, 'user_1'],
    ['a hidden subject', { state: 'hidden' }, {}, 'user_1'],
    ['that it came back', { ...READ, isResubmitted: true }, {}, 'Ada Lovelace user_1 Resubmitted'],
    [
      'a decided case that came back',
      { ...READ, isResubmitted: true },
      { status: 'approved' },
      'Ada Lovelace user_1',
    ],
  ])('the cell of a subject shows %s', (_, subject, item, words) => {
    expect(cell(subject, item).words).toBe(words);
  });

  it('the cell of a subject links to the case and says why nothing was read', () => {
    expect(cell(READ).html).toContain(`href="/kyc/review/${ITEM.id}?type=kyc"`);
    expect(cell({ state: 'unreadable' }).html).toMatch(/<strong class="bad">[^<]+<\/strong><\/small>/);
    expect(cell({ state: 'unavailable' }).html).toMatch(/<small class="second-line"><span>[^<]+<\/span><\/small>/);
  });
});

it.each<[what: string, subject: QueueSubjectView | undefined, words: string]>([
  ['document and country', READ, 'Identity card Germany'],
  ['type without a document', { ...READ, document: null, country: null }, 'Person (KYC)'],
  ['type of a case that is gone', undefined, 'Person (KYC)'],
])('the cell of a document shows the %s', (_, subject, words) => {
  const cell = drawn(<DocumentCell item={ITEM} subject={subject} page={page} query="" />);
  expect(cell.words).toBe(words);
  expect(cell.html.includes('second-line')).toBe(subject === READ);
});

it('the cell of warnings counts them if their number is known', () => {
  const cell = (subject: QueueSubjectView | undefined) =>
    drawn(<WarningsCell severity="critical" subject={subject} page={page} />);
  expect(cell(READ).words).toMatch(/ · 2$/);
  expect(cell(READ).html).toContain('is-bad');
  expect(cell(undefined).words).not.toContain('·');
  expect(drawn(<WarningsBadge severity="info" count={1200} page={page} />).words).toMatch(/ · 1,200$/);
});

describe('the cell of the waiting time', () => {
  const cell = (item: Partial<ReviewQueueItem>) =>
    drawn(<WaitingCell item={{ ...ITEM, ...item }} page={page} now={now} />).words;

  it.each<[what: string, item: Partial<ReviewQueueItem>, words: string]>([
    ['submitted', {}, '1 hr 30 min'],
    ['submitted at a time that is not known', { submittedAt: null }, '5 hr 30 min'],
    ['pending', { status: 'pending' }, '5 hr 30 min'],
    ['due later', { dueAt: at('14:00') }, '1 hr 30 min due in 30 min'],
    ['overdue', { dueAt: at('10:10') }, '1 hr 30 min Overdue by 3 hr'],
    ['decided', { status: 'approved', dueAt: at('14:00') }, 'Decided'],
  ])('the cell of a case that is %s', (_, item, words) => {
    expect(cell(item)).toBe(words);
  });
});

it('a due time turns red once it has passed, and has one unit', () => {
  const due = (time: Date) => drawn(<DueTime due={time} now={now} page={page} />);
  expect(due(at('13:29')).html).toMatch(/class="bad"/);
  expect(due(at('13:30')).html).not.toContain('class=');
  expect(due(new Date(now.getTime() + 26 * 3_600_000)).words).toBe('due in 1 day');
  expect(due(new Date(now.getTime() + 24 * 3_600_000)).words).toBe('due in 1 day');
});

it('a waiting time in one unit shows when it began', () => {
  const waited = (since: Date) => drawn(<Waited since={since} now={now} page={page} />);
  expect(waited(at('12:00')).words).toBe('1 hr');
  expect(waited(at('12:00')).html).toContain('title="15 Jan 2026, 12:00 UTC"');
  expect(waited(at('13:20')).words).toBe('10 min');
});

it('a decision shows reviewer and time; one without a reviewer shows the time alone', () => {
  const names = { find: () => null, of: (id: string | null) => `name of ${id}`, ofActor: () => '' };
  const cell = (reviewerId: string | null) =>
    drawn(<DecisionCell decision={{ at: now, reviewerId }} names={names} page={page} />);
  expect(cell('ben').words).toBe('name of ben 15 January 2026');
  expect(cell(null).words).toBe('15 January 2026');
});
