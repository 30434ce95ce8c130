import { expect, it } from 'vitest';
import { NOW, pending, submitted } from '../../test-support/verifications.ts';
import { eventOf, historyOf, type VerificationEvent } from './events.ts';

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

it('historyOf: changes of status only, with the kind of the actor only', () => {
  const event = (status: VerificationEvent['status'], actor: VerificationEvent['actor']): VerificationEvent => ({
    ...eventOf(pending(), { type: 'verification.created', data: {} }, { id: 'e', at: NOW, actor }),
    status,
  });
  const subject = { kind: 'subject', id: null } as const;
  const history = historyOf([
    event('pending', { kind: 'api_key', id: 'key-1' }),
    event('pending', subject),
    event('submitted', subject),
    event('action_needed', { kind: 'reviewer', id: 'staff-1' }),
    event('action_needed', subject),
    event('submitted', subject),
  ]);
  expect(history).toEqual([
    { status: 'pending', at: NOW, actor: 'client' },
    { status: 'submitted', at: NOW, actor: 'subject' },
    { status: 'action_needed', at: NOW, actor: 'reviewer' },
    { status: 'submitted', at: NOW, actor: 'subject' },
  ]);
});
