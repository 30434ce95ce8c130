import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Given, givenAccounts } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { type Databases, sqliteDatabases } from '../../test-support/databases.ts';

let databases: Databases;
let given: Given;

beforeEach(async () => {
  databases = await sqliteDatabases();
  given = await givenAccounts(await databases.fresh(), {
    singleSignOn: { providers: [], passwordsOff: [], allowsLoopback: true },
  });
});

afterEach(async () => {
  await given.accounts.close();
  await databases.close();
});

describe('confirming an identity at a provider', () => {
  it('confirms the session of the browser', async () => {
    const browser = await given.user();
    const confirmed = await given.accounts.singleSignOn?.confirmSession(browser.visitor);
    if (confirmed?.outcome !== 'confirmed') throw new Error(confirmed?.outcome);
    browser.keep(confirmed);
    expect((await given.accounts.identify(browser.visitor.cookies))?.confirmedAt).toEqual(given.clock.now());
  });

  it('a browser without a session is refused, also after its session has ended', async () => {
    const refused = { outcome: 'refused' };
    expect(await given.accounts.singleSignOn?.confirmSession(newBrowser().visitor)).toEqual(refused);
    const browser = await given.user();
    await given.accounts.signOut(browser.visitor);
    expect(await given.accounts.singleSignOn?.confirmSession(browser.visitor)).toEqual(refused);
  });

  it('an unknown provider is a fault of the caller', async () => {
    const request = { providerId: 'unknown', purpose: { kind: 'sign_in' }, returnTo: '/review' } as const;
    await expect(given.accounts.singleSignOn?.begin(newBrowser().visitor, request)).rejects.toThrow(
      'there is no identity provider unknown',
    );
  });
});
