import type { SignIn } from '@countersign/domain/staff';
import { describe, expect, it } from 'vitest';
import { aUser, CLARA, givenConsole, OLGA, RITA } from '../../test-support/console.ts';

describe('the gate of the console', () => {
  it('redirects anonymous visitors to sign-in and back', async () => {
    const given = await givenConsole();
    for (const [path, returnTo] of [
      ['/review', '/review'],
      ['/review?type=kyb&page=2', '/review?type=kyb&page=2'],
      ['/review/some-id', '/review/some-id'],
    ] as const) {
      const { status, headers } = await given.get(path, null);
      expect(status).toBe(303);
      expect(headers.get('Location')).toBe(`/kyc/account/sign-in?returnTo=${encodeURIComponent(returnTo)}`);
    }
  });

  it('redirects a form without a session to its case after the sign-in', async () => {
    const given = await givenConsole();
    const id = await given.submitted();
    const { headers } = await given.post(
      `/review/${id}/approve`,
      { expectedVersion: '9', confirmed: 'yes' },
      null,
    );
    expect(headers.get('Location')).toBe(`/kyc/account/sign-in?returnTo=${encodeURIComponent(`/review/${id}`)}`);
    expect((await given.review.preview(id)).status).toBe('submitted');
  });

  it("the gate of the console is closed to a client's staff on every path", async () => {
    const given = await givenConsole();
    const id = await given.submitted();
    for (const path of ['/review', `/review/${id}`, '/review/keys']) {
      const { status, words } = await given.get(path, CLARA);
      expect(status).toBe(403);
      expect(words).toContain('This console is for reviewers');
      expect(words).not.toContain('Lovelace');
    }
    expect((await given.act(id, 'approve', { confirmed: 'yes' }, CLARA)).status).toBe(403);
    expect((await given.review.preview(id)).status).toBe('submitted');
  });

  it('the gate of the console is open to reviewers and operators', async () => {
    const given = await givenConsole();
    for (const who of [RITA, OLGA]) expect((await given.get('/review', who)).status).toBe(200);
  });

  it('asks for a second factor where one is needed', async () => {
    const given = await givenConsole({ requireSecondFactor: true });
    const without = await given.get('/review', RITA);
    expect(without.headers.get('Location')).toBe('/kyc/account/security?needed=1');
    const Cookie = given.accounts.signedIn(RITA, { withSecondFactor: true });
    expect((await given.get('/review', RITA, { Cookie })).status).toBe(200);
  });

  it('works with a sign-in of the adopter, without account pages', async () => {
    const user = aUser('m', { role: 'reviewer' });
    const signIn: SignIn = {
      signInPath: '/staff/login',
      signOutPath: '/staff/logout',
      confirmPath: '/staff/confirm',
      identify: async (cookies) =>
        cookies === 'own=1' ? { user, signedInAt: new Date(0), withSecondFactor: false, confirmedAt: null } : null,
      nameOf: async () => null,
    };
    const given = await givenConsole({ signIn, accounts: undefined });
    expect((await given.get('/review', null)).headers.get('Location')).toBe('/kyc/staff/login?returnTo=%2Freview');
    const page = await given.get('/review', null, { Cookie: 'own=1' });
    expect(page.text).toContain('action="/kyc/staff/logout"');
    expect(page.text).not.toContain('/account/security');
    expect((await given.get('/account/sign-in', null)).status).toBe(404);

    const strict = await givenConsole({ signIn, accounts: undefined, requireSecondFactor: true });
    const refused = await strict.get('/review', null, { Cookie: 'own=1' });
    expect(refused.status).toBe(403);
    expect(refused.words).toContain('A second factor is needed');
  });
});
