import { STAFF_SESSION } from '@countersign/domain/staff';
import { expect, it } from 'vitest';
import { newBrowser } from '../../test-support/browser.ts';
import { rowsOf } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const MINUTE = 60_000;

onEveryDatabase('sessions', (at) => {
  const seen = async () => {
    const [row] = await rowsOf(at.database, 'select last_seen_at from staff_sessions');
    return new Date(String(row?.last_seen_at)).getTime();
  };

  it('the last use of a session is stored once in five minutes', async () => {
    const { visitor } = await at.user();
    const begun = await seen();
    at.clock.advance(5 * MINUTE - 1);
    await at.accounts.identify(visitor.cookies);
    expect(await seen()).toBe(begun);
    at.clock.advance(1);
    await at.accounts.identify(visitor.cookies);
    expect(await seen()).toBe(begun + 5 * MINUTE);
  });

  it('a session ends after its idle time, and after its whole lifetime even in use', async () => {
    const { visitor } = await at.user();
    const idle = STAFF_SESSION.idleSeconds * 1_000;
    at.clock.advance(idle - 1);
    expect(await at.accounts.identify(visitor.cookies)).not.toBeNull();
    at.clock.advance(idle);
    expect(await at.accounts.identify(visitor.cookies)).toBeNull();

    const { visitor: busy } = await at.user({ email: 'bob@example.com' });
    const total = STAFF_SESSION.seconds * 1_000;
    let passed = 0;
    for (; passed + idle / 2 < total; passed += idle / 2) {
      at.clock.advance(idle / 2);
      expect(await at.accounts.identify(busy.cookies)).not.toBeNull();
    }
    at.clock.advance(total - passed);
    expect(await at.accounts.identify(busy.cookies)).toBeNull();
  });

  it('a sign-in deletes ended sessions', async () => {
    const count = async () => (await rowsOf(at.database, 'select id from staff_sessions')).length;
    await at.user();
    at.clock.advance(STAFF_SESSION.idleSeconds * 1_000 - 1);
    await at.signIn(newBrowser());
    expect(await count()).toBe(2);
    at.clock.advance(1);
    await at.signIn(newBrowser());
    expect(await count()).toBe(2);
  });
});
