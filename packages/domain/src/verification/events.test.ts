import { expect, it } from 'vitest';
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
import { eventOf, historyOf, STATUS_EVENT_TYPES, type VerificationEvent } from './events.ts';
import { expire } from './expire-verifications.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { approve, askForAction, claim, note, reject, release } from './reviewer-moves.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import type { QuietTransition, Transition } from './transition.ts';
import type { Verification } from './verification.ts';

const firstAnswers = { step: 'consent', input: GOOD_ANSWERS.kyc.consent };
const claimed = (): Verification => claim(submitted(), { reviewerId: 'staff-1', now: NOW })?.next ?? submitted();

it('eventOf: has the version and the status after the event', () => {
  const event = eventOf(
    submitted(),
    { type: 'verification.submitted', data: {} },
    {
      id: 'event-1',
      at: NOW,
      actor: { kind: 'subject', id: null },
    },
  );
  expect(event).toMatchObject({
    version: submitted().version,
    status: 'submitted',
    verificationId: 'verification-1',
  });
});

it('historyOf: status, time and kind of actor of each change', () => {
  const event = (status: VerificationEvent['status'], actor: VerificationEvent['actor']): VerificationEvent => ({
    ...eventOf(pending(), { type: 'verification.created', data: {} }, { id: 'e', at: NOW, actor }),
    status,
  });
  const history = historyOf([
    event('pending', { kind: 'api_key', id: 'key-1' }),
    event('submitted', { kind: 'subject', id: null }),
    event('action_needed', { kind: 'reviewer', id: 'staff-1' }),
    event('rejected', { kind: 'team_member', id: 'user-1' }),
  ]);
  expect(history).toEqual([
    { status: 'pending', at: NOW, actor: 'client' },
    { status: 'submitted', at: NOW, actor: 'subject' },
    { status: 'action_needed', at: NOW, actor: 'reviewer' },
    { status: 'rejected', at: NOW, actor: 'client' },
  ]);
});

const reviewing = { reviewerId: 'staff-1', now: NOW };
const asking = { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] };

it.each<[string, Verification, (before: Verification) => Transition | QuietTransition | null]>([
  [
    'attachFile',
    answered(pending(), 'consent'),
    (before) => attachFile(before, file('document', 'document_front')),
  ],
  ['completeStep', pending(), (before) => completeStep(before, firstAnswers, CONTEXT)],
  ['submit', completed(), (before) => submit(before, NOW)],
  ['claim', submitted(), (before) => claim(before, reviewing)],
  ['release', claimed(), release],
  ['note', pending(), (before) => note(before, 'A note', reviewing)],
  ['approve', submitted(), (before) => approve(before, NOW)],
  ['reject', submitted(), (before) => reject(before, { reasonCodes: ['data_mismatch'] }, NOW)],
  ['askForAction', submitted(), (before) => askForAction(before, asking, LINK_CONTEXT)],
  ['withdraw', pending(), (before) => withdraw(before, NOW)],
  ['expire', pending(), (before) => expire(before, NOW)],
  ['renewLink', pending(), (before) => renewLink(before, LINK_CONTEXT)],
])('%s: its event is one of STATUS_EVENT_TYPES only if it changes the status', (_, before, move) => {
  const transition = move(before);
  if (!transition?.event) throw new Error('the move writes no event');
  expect(STATUS_EVENT_TYPES.includes(transition.event.type)).toBe(transition.next.status !== before.status);
});
