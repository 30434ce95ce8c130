import { expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { aPrincipal } from '../../test-support/principal.ts';
import { pending } from '../../test-support/verifications.ts';
import type { Principal } from '../access/authenticate.ts';
import { withdrawVerificationUseCase } from './manage-verification.ts';
import type { VerificationRepository } from './verification-repository.ts';

const links = { url: () => 'link', idIn: () => '', check: () => undefined };

/** Withdraws a new verification with a key that has these permissions. */
function given(permissions: Principal['permissions']) {
  const changes: string[] = [];
  const withdraw = withdrawVerificationUseCase({
    verifications: portWith<VerificationRepository>({}),
    links,
    async change() {
      changes.push('withdrawn');
      return pending();
    },
  });
  return { changes, withdrawn: withdraw(aPrincipal({ permissions }), 'verification-1') };
}

test('a key that may not create verifications withdraws none', async () => {
  const { changes, withdrawn } = given(['verifications:read']);
  await expect(withdrawn).rejects.toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
  expect(changes).toEqual([]);
});

test('a key that may create verifications withdraws one, without permission to read', async () => {
  const { changes, withdrawn } = given(['verifications:create']);
  expect(await withdrawn).toMatchObject({ id: 'verification-1', submittedData: {} });
  expect(changes).toEqual(['withdrawn']);
});
