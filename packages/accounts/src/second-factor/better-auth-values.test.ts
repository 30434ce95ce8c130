import { expect, it, vi } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
// What version 0.3 wrote, with better-auth 1.7.25 and the key of tests.
import written from '../../test-support/better-auth.json' with { type: 'json' };
import { newBrowser } from '../../test-support/browser.ts';
import { type PlacedDatabase, rowsOf, runIn } from '../../test-support/databases.ts';
import { codeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { createPasswords } from '../credentials/passwords.ts';
import { versionedSecrets } from '../sessions/secrets.ts';
import { createSealing } from './sealing.ts';

const { ann, bob, rows } = written;
const [sealed] = rows.staff_two_factors;
const now = new Date(written.at);
const secretOf = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';

const FLAGS = /^(?:.*_enabled|has_.*|email_verified|verified|with_second_factor)$/;

async function insertRows(database: PlacedDatabase): Promise<void> {
  const inserts: string[] = [];
  for (const [table, all] of Object.entries(rows)) {
    for (const row of all) {
      const values = Object.entries(row).map(([column, value]) =>
        FLAGS.test(column) ? Boolean(value) : typeof value === 'number' ? value : `'${value}'`,
      );
      inserts.push(`insert into ${table} (${Object.keys(row).join()}) values (${values.join()})`);
    }
  }
  await runIn(database, inserts.join(';'));
}

/** A browser that holds cookies of the earlier version. */
function browserWith(cookies: string) {
  const browser = newBrowser();
  browser.keep({ setCookies: cookies.split('; ') });
  return browser;
}

onEveryDatabase('what better-auth wrote', (at) => {
  /** Accounts on the rows of the earlier version, at its time. */
  async function continued() {
    await insertRows(at.database);
    at.clock.advance(now.getTime() - at.clock.now().getTime());
    return at.accounts;
  }

  it('a session goes on, and a code or a backup code ends the sign-in that waits for one', async () => {
    const accounts = await continued();
    expect(await accounts.identify(ann.session)).toMatchObject({
      user: { email: 'ann@example.com' },
      withSecondFactor: true,
    });
    const wrong = browserWith(ann.waiting);
    expect(await accounts.enterSecondFactor(wrong.visitor, '000000')).toEqual({ outcome: 'refused' });
    const browser = browserWith(ann.waiting);
    const entered = await accounts.enterSecondFactor(browser.visitor, codeOf(secretOf(ann.uri), now));
    expect(browser.keep(entered).outcome).toBe('signed_in');
    expect((await accounts.identify(browser.visitor.cookies))?.user.email).toBe('ann@example.com');
    expect(await rowsOf(at.database, 'select * from staff_verifications')).toEqual([]);
  });

  it('a backup code is used up, and the others stay', async () => {
    const accounts = await continued();
    const [first = '', ...others] = ann.backupCodes;
    const browser = browserWith(ann.waiting);
    expect((await accounts.enterSecondFactor(browser.visitor, first)).outcome).toBe('signed_in');
    const [row] = await rowsOf(at.database, 'select backup_codes from staff_two_factors where verified');
    const opened = await createSealing(versionedSecrets([KEY])).open(String(row?.backup_codes));
    expect(JSON.parse(opened)).toEqual(others);
  });

  it('a device that is set up is confirmed', async () => {
    const accounts = await continued();
    const browser = browserWith(bob.session);
    const confirmed = await accounts.confirmSecondFactor(browser.visitor, codeOf(bob.secret, now));
    expect(browser.keep(confirmed).outcome).toBe('signed_in');
    expect(await accounts.hasSecondFactor(browser.visitor)).toBe(true);
  });
});

it('passwords: compared with the hash that better-auth made', async () => {
  const passwords = createPasswords();
  const hash = rows.staff_accounts[0]?.password ?? '';
  expect(await passwords.verify({ hash, password: written.password })).toBe(true);
  expect(await passwords.verify({ hash, password: 'violet anchor 8 gravel' })).toBe(false);
  expect(await passwords.verify({ hash: await passwords.hash('pass'), password: 'pass' })).toBe(true);
});

it('sealing: the same text and nonce give the value that better-auth made, so that it opens ours', async () => {
  const sealing = createSealing(versionedSecrets([KEY]));
  for (const value of [sealed?.secret ?? '', sealed?.backup_codes ?? '']) {
    const nonce = Buffer.from(value.split('$')[3] ?? '', 'hex').subarray(0, 24);
    const random = vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((bytes) => {
      if (bytes instanceof Uint8Array) bytes.set(nonce);
      return bytes;
    });
    expect(await sealing.seal(await sealing.open(value))).toBe(value);
    expect(random).toHaveBeenCalledOnce();
    random.mockRestore();
  }
});
