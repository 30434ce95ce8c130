import { expect, it } from 'vitest';
import type { VerificationEvent } from '../verification/events.ts';
import { itemsAskedIn, requestsForAction } from './requests-for-action.ts';

const items = [{ step: 'selfie', reasonCode: 'other', note: 'Blurred' }];
const asked = { step: 'selfie', reasonCode: 'other' };

function event(type: VerificationEvent['type'], data: VerificationEvent['data']): VerificationEvent {
  const ids = { id: 'event', clientId: 'client', verificationId: 'verification' };
  const actor = { kind: 'reviewer', id: 'rita' } as const;
  return { ...ids, version: 2, type, status: 'submitted', at: new Date(0), actor, data };
}

it('a request for action is listed with what it asks for, without notes', () => {
  const request = event('verification.action_requested', { items });
  expect(requestsForAction([event('verification.submitted', {}), request])).toEqual([
    { requestedAt: request.at, items: [asked] },
  ]);
});

it('a request for action whose data was erased asks for nothing', () => {
  expect(itemsAskedIn(event('verification.action_requested', {}))).toEqual([]);
});

it('an event of another type asks for nothing, whatever its data has', () => {
  expect(itemsAskedIn(event('verification.submitted', { items }))).toEqual([]);
});
