import { hash } from 'node:crypto';
import { createFixedClock } from '@countersign/memory';
import { expect, it } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { type PlacedDatabase, rowsOf, runIn, sqliteDatabases } from '../../test-support/databases.ts';
import { migrateAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { createCookieJar } from '../sessions/cookies.ts';
import { versionedSecrets } from '../sessions/secrets.ts';
import { type Challenges, createChallenges } from './challenges.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const TEN_MINUTES = 600_000;

interface Place {
  readonly challenges: Challenges;
  readonly database: PlacedDatabase;
  readonly advance: (milliseconds: number) => void;
}

async function withChallenges(work: (at: Place) => Promise<void>): Promise<void> {
  const databases = await sqliteDatabases();
  const database = await databases.fresh();
  await migrateAccounts(database);
  const db = await openDatabase(database);
  const clock = createFixedClock(START);
  const cookies = createCookieJar('https://verify.example', versionedSecrets([KEY]));
  const challenges = createChallenges(async () => db, cookies, clock);
  try {
    await work({ challenges, database, advance: clock.advance });
  } finally {
    await db.destroy();
    await databases.close();
  }
}

it('pending sign-ins: one can be found and ended for ten minutes; the next one deletes its expired rows', async () => {
  await withChallenges(async ({ challenges, database, advance }) => {
    const begun = await challenges.begin('ann');
    const browser = newBrowser();
    browser.keep({ setCookies: [begun.setCookie] });
    expect(browser.attributesOf('two_factor')).toContain('Max-Age=600;');
    advance(TEN_MINUTES - 1);
    expect(await challenges.find(browser.visitor.cookies)).toEqual({ challenge: begun.challenge, userId: 'ann' });
    advance(1);
    expect(await challenges.find(browser.visitor.cookies)).toBeNull();
    expect(await challenges.end(begun.challenge)).toBe(false);

    const next = await challenges.begin('bob');
    expect(await rowsOf(database, 'select id from staff_verifications')).toHaveLength(2);
    expect(await challenges.end(next.challenge)).toBe(true);
    expect(await challenges.end(next.challenge)).toBe(false);
    expect(await rowsOf(database, 'select id from staff_verifications')).toEqual([]);
  });
});

it('pending sign-ins: one whose only remaining row is the count of attempts was ended by a 0.4 server', async () => {
  await withChallenges(async ({ challenges, database }) => {
    const { challenge } = await challenges.begin('ann');
    await runIn(database, "delete from staff_verifications where value = 'ann'");
    expect(await challenges.end(challenge)).toBe(false);
    expect(await rowsOf(database, 'select id from staff_verifications')).toEqual([]);
  });
});

it('pending sign-ins: a second row counts no attempts yet, for servers of 0.4 and earlier', async () => {
  await withChallenges(async ({ challenges, database }) => {
    const { challenge } = await challenges.begin('ann');
    const expires_at = new Date(START.getTime() + TEN_MINUTES).toISOString();
    // The code may be entered at such a server. It refuses every code if this row is missing or its value is not a whole number, which
    // it treats as the maximum number of attempts.
    const rows = await rowsOf(
      database,
      'select identifier, value, expires_at from staff_verifications order by value',
    );
    expect(rows).toEqual([
      { identifier: hash('sha256', `2fa-attempts-${challenge}`, 'base64url'), value: '0', expires_at },
      { identifier: hash('sha256', challenge, 'base64url'), value: 'ann', expires_at },
    ]);
  });
});
