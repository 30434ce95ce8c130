import { expect, it } from 'vitest';
import { EVENT_TYPES, STATUS_EVENT_TYPES, type VerificationEvent } from '../verification/events.ts';
import { isSent, SENT_EVENT_TYPES, WEBHOOK_TYPES, webhookBodyOf, webhookTypeOf } from './webhook-event.ts';

const event: VerificationEvent = {
  id: 'event-1',
  clientId: 'client-1',
  verificationId: 'verification-1',
  version: 7,
  status: 'action_needed',
  at: new Date('2026-03-01T10:00:00.000Z'),
  actor: { kind: 'reviewer', id: 'staff-1' },
  type: 'verification.action_requested',
  data: {
    items: [
      { step: 'document', reasonCode: 'document_unreadable' },
      { step: 'selfie', reasonCode: 'document_unreadable' },
      { step: 'address', reasonCode: 'other' },
    ],
  },
};

it('each type of webhook is sent for some event, and each change of status is sent', () => {
  const sent = new Set(EVENT_TYPES.map(webhookTypeOf));
  sent.delete(null);
  expect(sent).toEqual(new Set(WEBHOOK_TYPES));
  expect(STATUS_EVENT_TYPES.filter((type) => !SENT_EVENT_TYPES.includes(type))).toEqual([]);
});

it('isSent: events of the sent types, unless they are silent', () => {
  const sent = EVENT_TYPES.filter((type) => isSent({ type, data: { silent: false } }));
  expect(sent).toEqual(EVENT_TYPES.filter((type) => SENT_EVENT_TYPES.includes(type)));
  expect(EVENT_TYPES.filter((type) => isSent({ type, data: { silent: true } }))).toEqual([]);
});

it('the body has ids, status, version and reason codes, each once, and nothing about people', () => {
  expect(webhookBodyOf(event)).toEqual({
    type: 'verification.action_needed',
    timestamp: '2026-03-01T10:00:00.000Z',
    data: {
      verificationId: 'verification-1',
      status: 'action_needed',
      sequence: 7,
      reasonCodes: ['document_unreadable', 'other'],
    },
  });
});

it('the body has the reason codes of a decision', () => {
  const rejected = { ...event, type: 'verification.rejected', status: 'rejected' } as const;
  const reasonCodes = ['suspected_fraud', 'other'];
  expect(webhookBodyOf({ ...rejected, data: { reasonCodes } }).data.reasonCodes).toEqual(reasonCodes);
  expect(
    webhookBodyOf({ ...rejected, type: 'verification.withdrawn', data: { reasonCodes: ['withdrawn'] } }),
  ).toMatchObject({ type: 'verification.rejected', data: { reasonCodes: ['withdrawn'] } });
  expect(webhookBodyOf({ ...rejected, data: { linkVersion: 2 } }).data.reasonCodes).toEqual([]);
});

it('the body has no reason code of stored items that are malformed', () => {
  const items = [null, 'other', { step: 'selfie' }, { step: 'address', reasonCode: 7 }];
  expect(webhookBodyOf({ ...event, data: { items } }).data.reasonCodes).toEqual([]);
});

it('an event that is not sent has no body', () => {
  expect(() => webhookBodyOf({ ...event, type: 'verification.noted' })).toThrow('verification.noted');
});
