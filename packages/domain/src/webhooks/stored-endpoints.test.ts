import { expect, it } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { anEndpoint } from '../../test-support/webhook-endpoint.ts';
import { secretsOf, withoutTexts } from './stored-endpoints.ts';

it('withoutTexts: keeps the time, the duration and the status of an attempt', () => {
  const kept = { id: 'attempt-1', at: NOW, durationMs: 7, status: 500 };
  const attempt = { ...kept, request: '{}', response: 'a response', fault: 'a fault' };
  expect(withoutTexts(attempt)).toEqual({ ...kept, request: '', response: null, fault: null });
});

it('secretsOf: the secrets that are stored, the oldest first', () => {
  const stored = { value: 'whsec_b2xk', wrappedBy: 'key-1' };
  const endpoint = anEndpoint({ previousSecret: { ...stored, validUntil: NOW } });
  const of = { clientId: 'client-1', endpointId: 'endpoint-1' };
  expect(secretsOf(endpoint)).toEqual([
    { ...of, which: 'previousSecret', stored },
    { ...of, which: 'secret', stored: endpoint.secret },
  ]);
});
