import { expect, it } from 'vitest';
import { PASSWORD } from '../given/accounts.ts';
import { newBrowser } from '../given/browser.ts';
import { everythingIn, rowsOf } from '../given/databases.ts';
import { onEveryDatabase } from '../given/every-database.ts';

const EMAIL = 'ann@example.com';

onEveryDatabase('staff', (at) => {
  it('are listed in the order in which they were made, and called by their names', async () => {
    await at.given.accounts.create({ email: 'B@example.com', role: 'client', clientId: 'client-1' });
    at.given.clock.advance(1);
    await at.given.accounts.create({ email: 'a@example.com', role: 'reviewer', name: 'Ann' });
    const staff = await at.given.accounts.list();
    expect(staff.map(({ id, ...rest }) => rest)).toEqual([
      { email: 'b@example.com', name: 'b', role: 'client', clientId: 'client-1' },
      { email: 'a@example.com', name: 'Ann', role: 'reviewer', clientId: null },
    ]);
    expect(await at.given.accounts.nameOf(staff[1]?.id ?? '')).toBe('Ann');
    expect(await at.given.accounts.nameOf('nobody')).toBeNull();
  });

  it('who left are gone at once, with all there was of them', async () => {
    const browser = await at.given.member();
    await at.given.accounts.invite(EMAIL);
    expect(await at.given.accounts.remove(EMAIL)).toMatchObject({ email: EMAIL });
    expect(await at.given.accounts.identify(browser.visitor.cookies)).toBeNull();
    expect(
      (await at.given.accounts.signIn(newBrowser().visitor, { email: EMAIL, password: PASSWORD })).outcome,
    ).toBe('refused');
    expect(await everythingIn(at.database)).toBe(JSON.stringify(Array.from({ length: 7 }, () => [])));
    expect(await at.given.accounts.remove(EMAIL)).toBeNull();
  });

  it('have one account for an e-mail, whoever asks first', async () => {
    const answers = await Promise.all(
      ['ann@example.com', 'ANN@example.com', ' Ann@Example.com'].map((email) =>
        at.given.accounts.create({ email, role: 'operator' }),
      ),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['created', 'exists', 'exists']);
    expect(await at.given.accounts.list()).toHaveLength(1);
  });

  it.each([
    [{ email: 'ann', role: 'reviewer' }, 'email'],
    [
      {
        email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(30)}.com`,
        role: 'reviewer',
      },
      'email',
    ],
    [{ email: EMAIL, role: 'client' }, 'client'],
    [{ email: EMAIL, role: 'reviewer', clientId: 'x' }, 'client'],
    [{ email: EMAIL, role: 'admin' }, 'role'],
    [{ email: EMAIL, role: 'reviewer', name: 'n'.repeat(101) }, 'name'],
  ])('%j is refused', async (input, path) => {
    const creating = at.given.accounts.create(input as Parameters<typeof at.given.accounts.create>[0]);
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', data: { issues: [{ path }] } });
    expect(await at.given.accounts.list()).toEqual([]);
  });

  it.each(["role = 'client'", "client_id = 'x'", "role = 'admin'", "email = 'Ann@example.com'"])(
    'the database itself refuses %s of a reviewer',
    async (change) => {
      await at.given.accounts.create({ email: EMAIL, role: 'reviewer' });
      await expect(rowsOf(at.database, `update staff_users set ${change}`)).rejects.toThrow(/constraint/i);
    },
  );
});
