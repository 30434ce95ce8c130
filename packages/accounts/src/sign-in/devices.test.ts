import { expect, it, onTestFinished } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { runIn } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { openDatabase } from '../database/open-database.ts';
import { createCookieJar } from '../sessions/cookies.ts';
import { versionedSecrets } from '../sessions/secrets.ts';
import { createDevices } from './devices.ts';

const EMAIL = 'ann@example.com';

onEveryDatabase('devices', (at) => {
  async function opened() {
    const db = await openDatabase(at.database);
    onTestFinished(() => db.destroy());
    return createDevices(async () => db, createCookieJar('https://verify.example', versionedSecrets([KEY])));
  }

  it('each browser in which an account signs in is another device', async () => {
    await at.user();
    const devices = await opened();
    const ids = [];
    for (const browser of [newBrowser(), newBrowser()]) {
      browser.keep({ setCookies: await devices.remember(undefined, { email: EMAIL }) });
      const { cookies } = browser.visitor;
      const id = await devices.find(cookies, { userId: await at.idOf(EMAIL) });
      expect(id).toMatch(/^[\w-]{22}$/);
      expect(await devices.find(cookies, { email: EMAIL })).toBe(id);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('an unknown account, and one without a password, is remembered on no device', async () => {
    const browser = await at.user();
    await at.accounts.create({ email: 'bob@example.com', role: 'reviewer' });
    await runIn(at.database, 'update staff_accounts set password = null');
    const devices = await opened();
    for (const email of [EMAIL, 'bob@example.com', 'unknown@example.com']) {
      expect(await devices.remember(undefined, { email })).toEqual([]);
      expect(await devices.remember(browser.visitor.cookies, { email })).toEqual([]);
      expect(await devices.find(browser.visitor.cookies, { email })).toBeNull();
    }
  });
});
