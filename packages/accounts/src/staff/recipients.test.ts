import { expect, it } from 'vitest';
import { addSecondFactor } from '../../test-support/accounts.ts';
import { runIn } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const ONE = { issuer: 'https://one.example', subject: 'cleo' };
const OTHER = { issuer: 'https://other.example', subject: 'cleo' };

onEveryDatabase('recipients of mails', (at) => {
  it('the mark of a user without a password changes with each identity, and never comes back', async () => {
    const { identities } = at.accounts;
    const made = await at.accounts.create({ email: 'cleo@example.com', role: 'reviewer', name: 'Cleo' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const { id } = made.user;
    const read = () => at.accounts.findRecipient(id);
    expect(await read()).toMatchObject({ passwordMark: null, passwordSetAt: null, secondFactor: null });

    const begun = at.clock.now();
    await identities.connect(id, ONE, { kind: 'email' });
    const one = await read();
    expect(one?.passwordSetAt).toEqual(begun);
    await identities.connect(id, OTHER, { kind: 'email' });
    const both = await read();
    // As when one provider withdraws access without ending links.
    await runIn(
      at.database,
      `update staff_identities set withdrawn_at = created_at where issuer = '${ONE.issuer}'`,
    );
    const withdrawn = await read();
    await identities.disconnect(id);
    const none = await read();
    const marks = [one, both, withdrawn, none].map((recipient) => recipient?.passwordMark);
    expect(new Set(marks).size).toBe(4);
    for (const mark of marks) expect(mark).toMatch(/^[\w-]{43}$/);
    expect(none?.passwordSetAt).toBeNull();
  });

  it('a row without a password counts as no password, and an old second factor has no time', async () => {
    await addSecondFactor(at, await at.user());
    const id = await at.idOf('ann@example.com');
    expect(await at.accounts.findRecipient(id)).toMatchObject({ secondFactor: { setAt: at.clock.now() } });
    await runIn(at.database, 'update staff_accounts set password = null');
    await runIn(at.database, 'update staff_two_factors set confirmed_at = null');
    expect(await at.accounts.findRecipient(id)).toMatchObject({
      passwordMark: null,
      passwordSetAt: null,
      secondFactor: { setAt: null },
    });
  });

  it('the team of a client is listed in the order of creation', async () => {
    const make = async (email: string) => {
      const input = { email, role: 'client' as const, clientId: 'acme', teamRole: 'viewer' as const, name: 'Ann' };
      const made = await at.accounts.create(input);
      if (made.outcome !== 'created') throw new Error(made.outcome);
      return made.user.id;
    };
    const late = [await make('a@example.com'), await make('b@example.com')];
    at.clock.advance(-1_000);
    const early = await make('c@example.com');
    expect((await at.accounts.team('acme')).map(({ id }) => id)).toEqual([early, ...late.toSorted()]);
  });
});
