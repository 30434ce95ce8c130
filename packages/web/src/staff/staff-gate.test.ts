import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, OLGA, RITA } from '../../test-support/console.ts';
import { type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

describe('the gate of an area for staff', () => {
  it('redirects anonymous visitors to sign-in and back, without an audit entry', async () => {
    const { status, headers } = await given.get('/dashboard/keys?x=1', null);
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe('/kyc/account/sign-in?returnTo=%2Fdashboard%2Fkeys%3Fx%3D1');
    expect(await given.audit()).toEqual([]);
  });

  it('records a form whose session has ended, and sends to sign in for its page', async () => {
    const { status, headers } = await given.post('/dashboard/keys/new', { name: 'x' }, null);
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe('/kyc/account/sign-in?returnTo=%2Fdashboard%2Fkeys%2Fnew');
    expect(await given.lastLine()).toMatchObject({
      actor: { kind: 'anonymous', id: null },
      from: '192.0.2.1',
      action: 'page.request',
      outcome: 'refused',
      detail: { path: '/dashboard/keys/new', reason: 'no_session' },
    });
  });

  it.each([
    [RITA, '/dashboard', 'The dashboard is for clients'],
    [OLGA, '/dashboard/usage', 'The dashboard is for clients'],
    [CLARA, '/review', 'This console is for reviewers'],
    [VERA, '/review/keys', 'This console is for reviewers'],
  ])('answers 403 to %s at %s, and records it', async (who, path, title) => {
    const { status, words, text } = await given.get(path, who);
    expect(status).toBe(403);
    expect(words).toContain(title);
    expect(text).toContain('action="/kyc/account/sign-out"');
    expect(await given.lastLine()).toMatchObject({
      actor: { id: who },
      action: 'page.request',
      outcome: 'refused',
      detail: { path, reason: 'role' },
    });
  });

  it('records a page by its route, never by its address', async () => {
    await given.get(`/dashboard/keys/${given.foreign.keyId}/revoke?name=secret`, RITA);
    expect((await given.lastLine())?.detail).toMatchObject({ path: '/dashboard/keys/{keyId}/revoke' });
    await given.get('/dashboard/no-such-page', RITA);
    expect((await given.lastLine())?.detail).toMatchObject({ path: '/dashboard/*' });
  });

  it.each([
    ['/dashboard/keys/new', CLARA, 'team_member'],
    ['/dashboard/keys/new', null, 'anonymous'],
    ['/review/some-id/approve', RITA, 'reviewer'],
    ['/admin/clients/new', OLGA, 'operator'],
  ] as const)('records a form of another site: %s', async (path, who, kind) => {
    const { status } = await given.post(path, {}, who, { 'Sec-Fetch-Site': 'cross-site' });
    expect(status).toBe(403);
    const lines = await given.audit();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ actor: { kind }, outcome: 'refused', detail: { reason: 'forged_origin' } });
  });

  it('records a form that is too large, or none', async () => {
    const large = await given.post('/dashboard/keys/new', { name: 'x'.repeat(70_000) }, CLARA);
    expect(large.status).toBe(413);
    await given.countersign.summariseRefusals();
    const json = await given.post('/dashboard/keys/new', {}, CLARA, { 'Content-Type': 'application/json' });
    expect(json.status).toBe(415);
    const about = {
      path: '/dashboard/keys/new',
      method: 'POST',
      reason: 'form_not_read',
      code: 'INVALID_PARAMETERS',
    };
    expect((await given.audit()).map(({ actor, outcome, detail }) => ({ actor, outcome, detail }))).toEqual(
      [1, 2].map(() => ({ actor: { kind: 'team_member', id: CLARA }, outcome: 'refused', detail: about })),
    );
  });

  it('the gate of an area for staff does not record forged forms outside the staff areas', async () => {
    await given.post('/verify/some-id.token/consent', {}, null, { 'Sec-Fetch-Site': 'cross-site' });
    expect(await given.audit()).toEqual([]);
  });

  it('asks reviewers for a second factor where one is needed, and no client', async () => {
    given = await givenDashboard({ requireSecondFactor: true });
    const { status, headers } = await given.post('/review/some-id/claim', { expectedVersion: '1' }, RITA);
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe('/kyc/account/security?needed=1');
    expect((await given.lastLine())?.detail).toMatchObject({ reason: 'second_factor_needed' });
    expect((await given.get('/dashboard', CLARA)).status).toBe(200);
  });

  it("ends a removed user's work immediately", async () => {
    expect((await given.get('/dashboard', VERA)).status).toBe(200);
    await given.accounts.staff.remove(VERA, { keepOwner: true });
    expect((await given.get('/dashboard', VERA)).status).toBe(303);
  });
});
