import { expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW, pending } from '../../test-support/verifications.ts';
import type { Secrets } from '../runtime.ts';
import type { Client } from '../subscription/client-repository.ts';
import { createForRequesterUseCase } from './create-verification.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { toRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

const BODY = { subjectType: 'kyc', subjectReference: 'user_1' };
const RETURNING = { ...BODY, returnUrl: 'https://shop.example/back' };
const REFUSED = {
  code: 'INVALID_PARAMETERS',
  data: { issues: [expect.objectContaining({ path: 'returnUrl' })] },
};

/** Creations for this client, whose only earlier request has the key `used`. */
function given(client: Client | null) {
  const create = createForRequesterUseCase(
    {
      clock: { now: () => NOW },
      flows: BUILT_IN_FLOWS,
      ids: { next: () => 'id' },
      links: { url: () => 'link', idIn: () => '', check: () => undefined },
      secrets: portWith<Secrets>({ sha256: (text: string) => text }),
      verifications: portWith<VerificationRepository>({
        findByIdempotencyKey: async (_clientId, key) =>
          key === 'used' ? { ...toRecord(pending()), idempotencyFingerprint: 'of another request' } : null,
      }),
      clients: { find: async () => client && { client, subscription: null } },
      readFlowRules: async () => someFlowRules(),
    },
    { linkLifetimeDays: 30, sendsMail: false, flowVersion: undefined },
  );
  const actor = { kind: 'api_key', id: 'key-1' } as const;
  const requester = { clientId: 'client-1', subscription: null, mode: 'live', linkDays: null, actor } as const;
  return (body: object, key?: string) => create(requester, body, key);
}

it('a creation whose returnUrl is refused does not say that its key was used for another request', async () => {
  const create = given(aClient());
  await expect(create(RETURNING, 'used')).rejects.toMatchObject(REFUSED);
  await expect(create(RETURNING, 'new')).rejects.toMatchObject(REFUSED);
  await expect(create(BODY, 'used')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it('a client that is gone has no return addresses', async () => {
  await expect(given(null)(RETURNING)).rejects.toMatchObject(REFUSED);
});
