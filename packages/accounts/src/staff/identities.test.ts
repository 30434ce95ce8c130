import { expect, it, onTestFinished } from 'vitest';
import { tokenOf } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { rowsOf, runIn } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { openDatabase } from '../database/open-database.ts';
import { isAccessWithdrawn } from './identities.ts';

const ONE = { issuer: 'https://one.example', subject: 'ann' };
const OTHER = { issuer: 'https://other.example', subject: 'ann' };

onEveryDatabase('identities', (at) => {
  it('access is withdrawn once every provider of a user withdrew it', async () => {
    await at.user();
    const userId = await at.idOf('ann@example.com');
    const db = await openDatabase(at.database);
    onTestFinished(() => db.destroy());
    const { identities } = at.accounts;
    expect(await isAccessWithdrawn(db, userId)).toBe(false);
    for (const key of [ONE, OTHER]) await identities.connect(userId, key, { kind: 'email' });
    expect(await isAccessWithdrawn(db, userId)).toBe(false);
    await identities.withdraw(userId);
    expect(await isAccessWithdrawn(db, userId)).toBe(true);
    const use = { userId, key: ONE, withdrawnAt: at.clock.now(), endPassword: false };
    expect(await identities.recordUse(use)).toBe(true);
    expect(await isAccessWithdrawn(db, userId)).toBe(false);
  });

  it('connecting an identity again changes nothing, and it belongs to one user', async () => {
    await at.user();
    await at.user({ email: 'bob@example.com' });
    const { identities } = at.accounts;
    const ann = await at.idOf('ann@example.com');
    const connect = (userId: string) => identities.connect(userId, ONE, { kind: 'email' });
    expect(await connect(ann)).toEqual({ outcome: 'connected' });
    expect(await connect(ann)).toEqual({ outcome: 'connected' });
    expect(await connect(await at.idOf('bob@example.com'))).toEqual({ outcome: 'taken' });
    expect(await identities.issuersOf(ann)).toEqual([ONE.issuer]);
  });

  it('an identity connected in a session is marked so, and no other', async () => {
    const { identities } = at.accounts;
    const input = { email: 'cleo@example.com', name: 'Cleo', role: 'reviewer' as const };
    const made = await identities.provision(input, ONE, { emailVerified: true });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    await identities.connect(made.user.id, OTHER, { kind: 'session' });
    const rows = await rowsOf(at.database, 'select in_session from staff_identities order by issuer');
    expect(rows.map(({ in_session }) => Boolean(in_session))).toEqual([false, true]);
  });

  it('an identity that a link connects replaces the password and the sessions', async () => {
    const { visitor } = await at.user();
    const ann = await at.idOf('ann@example.com');
    const proof = { kind: 'token', token: tokenOf(await at.linkFor('ann@example.com')) } as const;
    expect(await at.accounts.identities.connect(ann, ONE, proof)).toEqual({ outcome: 'connected' });
    expect(await at.accounts.identify(visitor.cookies)).toBeNull();
    expect((await at.signIn(newBrowser())).outcome).toBe('refused');
    expect(await at.accounts.identities.connect(ann, OTHER, proof)).toEqual({ outcome: 'refused' });
  });

  it('the use of an identity ends a password, and links with it, only where providers replace passwords', async () => {
    await at.user();
    const userId = await at.idOf('ann@example.com');
    const { identities } = at.accounts;
    await identities.connect(userId, ONE, { kind: 'email' });
    const use = { userId, key: ONE, withdrawnAt: null };
    await identities.recordUse({ ...use, endPassword: false });
    expect((await at.signIn(newBrowser())).outcome).toBe('signed_in');

    const markOf = async () => (await at.accounts.findRecipient(userId))?.passwordMark;
    const before = await markOf();
    await identities.recordUse({ ...use, endPassword: true });
    expect((await at.signIn(newBrowser())).outcome).toBe('refused');
    const ended = await markOf();
    expect(ended).not.toBe(before);
    await identities.recordUse({ ...use, endPassword: true });
    expect(await markOf()).toBe(ended);
  });

  it('a password is allowed for a time', async () => {
    await at.user();
    const userId = await at.idOf('ann@example.com');
    const { identities } = at.accounts;
    expect(await identities.isPasswordAllowed(userId)).toBe(false);
    expect(await identities.allowPassword(userId, 1_000)).toMatchObject({ id: userId });
    at.clock.advance(999);
    expect(await identities.isPasswordAllowed(userId)).toBe(true);
    at.clock.advance(1);
    expect(await identities.isPasswordAllowed(userId)).toBe(false);
  });

  it('keys of a provider have 1 to 1,000 characters', async () => {
    await at.user();
    const userId = await at.idOf('ann@example.com');
    const connect = async (key: Partial<typeof ONE>) =>
      (await at.accounts.identities.connect(userId, { ...ONE, ...key }, { kind: 'email' })).outcome;
    expect(await connect({ issuer: '' })).toBe('refused');
    expect(await connect({ subject: '' })).toBe('refused');
    expect(await connect({ subject: 'x'.repeat(1_001) })).toBe('refused');
    expect(await connect({ subject: 'x'.repeat(1_000) })).toBe('connected');
  });

  it('a database error is thrown, not reported as a refusal', async () => {
    await at.user();
    const userId = await at.idOf('ann@example.com');
    const { identities } = at.accounts;
    await runIn(at.database, 'drop table staff_identities');
    await expect(identities.connect(userId, ONE, { kind: 'email' })).rejects.toThrow();
    const input = { email: 'cleo@example.com', name: 'Cleo', role: 'reviewer' as const };
    await expect(identities.provision(input, ONE, { emailVerified: true })).rejects.toThrow();
    expect(await at.accounts.findByEmail(input.email)).toBeNull();
  });
});
