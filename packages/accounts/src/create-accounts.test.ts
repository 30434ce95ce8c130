import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
import { expect, it } from 'vitest';
import { KEY, PASSWORD, tokenOf } from '../test-support/accounts.ts';
import { newBrowser } from '../test-support/browser.ts';
import { rowsOf, sqliteDatabases } from '../test-support/databases.ts';
import { createAccounts } from './index.ts';

it('createAccounts: a password is stored as a salted hash, and signs in', async () => {
  const databases = await sqliteDatabases();
  const database = await databases.emptied();
  const clock = createFixedClock(new Date());
  const accounts = await createAccounts({
    database,
    clock,
    secretKeys: [KEY],
    publicBaseUrl: 'https://verify.example',
    rateLimiter: createMemoryRateLimiter(clock),
  });
  const email = 'ann@example.com';
  const made = await accounts.create({ email, role: 'reviewer' });
  await accounts.acceptInvitation(newBrowser().visitor, { token: tokenOf(made), password: PASSWORD });

  const signIn = async (password: string) =>
    (await accounts.signIn(newBrowser().visitor, { email, password })).outcome;
  expect([await signIn(PASSWORD), await signIn('wrong password 1')]).toEqual(['signed_in', 'refused']);
  expect(await rowsOf(database, 'select password from staff_accounts')).toEqual([
    { password: expect.stringMatching(/^[0-9a-f]{32}:[0-9a-f]{128}$/) },
  ]);
  await accounts.close();
  await databases.close();
});
