import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  answered,
  CONTEXT,
  completed,
  file,
  LINK_CONTEXT,
  NOW,
  pending,
  submitted,
} from '../../test-support/verifications.ts';
import { eventCountAfter, MAX_EVENTS } from './event-limit.ts';
import { expire } from './expire-verifications.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { approve, askForAction, claim, note, reject, release } from './reviewer-moves.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import { event, type QuietTransition, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';

const REFUSED = expect.objectContaining({ code: 'EVENT_LIMIT_REACHED' });
const reviewing = { reviewerId: 'staff-1', now: NOW };

/** Requires that the move writes an event. */
function written(transition: Transition | QuietTransition | null): Transition {
  if (!transition?.event) throw new Error('the move writes no event');
  return transition;
}

const { consent, person } = GOOD_ANSWERS.kyc;
const answer = (before: Verification, step: string, input: unknown): Transition =>
  written(completeStep(before, { step, input }, CONTEXT));

const UNBOUNDED: readonly (readonly [string, Transition])[] = [
  ['an upload', attachFile(answered(pending(), 'consent'), file('document', 'document_front'))],
  ['a claim', written(claim(submitted(), reviewing))],
  ['a note', note(pending(), 'A note', reviewing)],
  ['a new link', renewLink(pending(), LINK_CONTEXT)],
];
const BOUNDED: readonly (readonly [string, Transition])[] = [
  ['the first answers to a step', answer(pending(), 'consent', consent)],
  ['a submission', submit(completed(), NOW)],
  [
    'a request',
    askForAction(submitted(), { items: [{ step: 'selfie', reasonCode: 'other', note: 'x' }] }, LINK_CONTEXT),
  ],
  ['the release of a claim', written(release(written(claim(submitted(), reviewing)).next))],
];
const DECISIONS: readonly (readonly [string, Transition])[] = [
  ['an approval', approve(submitted(), NOW)],
  ['a rejection', reject(submitted(), { reasonCodes: ['data_mismatch'] }, NOW)],
  ['a withdrawal', withdraw(pending(), NOW)],
  ['an expiry', expire(pending(), NOW)],
];

const open = (eventCount: number) => ({ status: 'pending', eventCount }) as const;
const decided = (eventCount: number) => ({ status: 'approved', eventCount }) as const;
const HELD = { event: event('verification.held') };
const RELEASED = { event: event('verification.hold_released') };

describe('the limit of events', () => {
  it('leaves room for holds of open verifications, and for their release', () => {
    expect(eventCountAfter(open(899), HELD)).toBe(900);
    expect(() => eventCountAfter(open(900), HELD)).toThrow(REFUSED);
    expect(eventCountAfter(open(MAX_EVENTS - 1), RELEASED)).toBe(MAX_EVENTS);
    expect(() => eventCountAfter(open(MAX_EVENTS), RELEASED)).toThrow(REFUSED);
  });

  it.each([HELD, RELEASED])('does not apply to holds and releases of decided verifications', (transition) => {
    expect(eventCountAfter(decided(10 * MAX_EVENTS), transition)).toBe(10 * MAX_EVENTS + 1);
  });

  it('leaves room for 100 changes of the end of a relationship', () => {
    const ended = { event: event('verification.relationship_ended') };
    expect(eventCountAfter(decided(MAX_EVENTS + 99), ended)).toBe(MAX_EVENTS + 100);
    expect(() => eventCountAfter(decided(MAX_EVENTS + 100), ended)).toThrow(REFUSED);
  });

  it.each(UNBOUNDED)('%s stops early, so that the verification can still be completed', (_, transition) => {
    expect(eventCountAfter(open(799), transition)).toBe(800);
    expect(() => eventCountAfter(open(800), transition)).toThrow(REFUSED);
  });

  it.each(BOUNDED)('%s stops at the limit', (_, transition) => {
    expect(eventCountAfter(open(MAX_EVENTS - 1), transition)).toBe(MAX_EVENTS);
    expect(() => eventCountAfter(open(MAX_EVENTS), transition)).toThrow(REFUSED);
  });

  it.each(DECISIONS)('%s is always possible', (_, transition) => {
    expect(eventCountAfter(open(MAX_EVENTS), transition)).toBe(MAX_EVENTS + 1);
  });

  it('is never reached by other answers to a completed step, because they replace their event', () => {
    const again = answer(completed(), 'person', { ...person, firstName: 'Ada' });
    expect(again.supersededVersion).toBe(completed().steps.person?.version);
    expect(eventCountAfter(open(MAX_EVENTS), again)).toBe(MAX_EVENTS);
  });
});
