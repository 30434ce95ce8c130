import { DEFAULT_REQUEST_RATES } from '@countersign/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { BEN, CLARA, type GivenConsole, givenConsole, RITA } from '../../test-support/console.ts';

const LIMIT = 3;

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole({}, { requestRates: { ...DEFAULT_REQUEST_RATES, signedIn: LIMIT } });
});

/** Sends as many requests as the limit allows. */
async function useUp(path: string, who: string): Promise<void> {
  for (let count = 1; count <= LIMIT; count += 1) await given.get(path, who);
}

describe('the request limit of a signed-in user', () => {
  it.each([
    ['en', 'Too many requests', 'in 60 seconds'],
    ['de', 'Zu viele Anfragen', 'in 60 Sekunden'],
  ])('answers 429 with Retry-After and a page in the language %s', async (language, title, wait) => {
    await useUp('/review', RITA);
    const { status, headers, words } = await given.get('/review', RITA, { 'Accept-Language': language });
    expect(status).toBe(429);
    expect(headers.get('Retry-After')).toBe('60');
    expect(headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(words).toContain(title);
    expect(words).toContain(wait);
  });

  it('ends with its window', async () => {
    await useUp('/review', RITA);
    expect((await given.get('/review')).status).toBe(429);
    given.ports.clock.advance(60_000);
    expect((await given.get('/review')).status).toBe(200);
  });

  it('counts all sessions of a user together, and each user alone', async () => {
    await useUp('/review', RITA);
    const Cookie = given.accounts.signedIn(RITA);
    expect((await given.get('/review', RITA, { Cookie })).status).toBe(429);
    expect((await given.get('/review', BEN)).status).toBe(200);
  });

  it('counts forms and the pages of the account, and runs no action above it', async () => {
    const id = await given.submitted();
    await useUp('/review', RITA);
    expect((await given.act(id, 'claim')).status).toBe(429);
    expect((await given.get('/account/security', RITA)).status).toBe(429);
    expect((await given.review.preview(id)).claim).toBeNull();
  });

  it('the request limit of a signed-in user does not count scripts and stylesheets', async () => {
    const { text } = await given.get('/review');
    const [, stylesheet = ''] = /href="\/kyc(\/assets\/[^"]+\.css)"/.exec(text) ?? [];
    for (let count = 1; count <= 2 * LIMIT; count += 1) expect((await given.get(stylesheet)).status).toBe(200);
    expect((await given.get('/review')).status).toBe(200);
  });

  it('limits the audit entries of a user who opens pages of another role', async () => {
    for (let count = 1; count <= 3 * LIMIT; count += 1) await given.get('/admin', CLARA);
    await given.countersign.summariseRefusals();
    const role = { action: 'page.request', detail: { reason: 'role' } };
    expect(await given.ports.storage.audit.read(0, 100)).toMatchObject([role, { detail: { count: LIMIT - 1 } }]);
  });

  it('the default request limit of a signed-in user leaves room to decide ten verifications a minute, with each of their files opened', async () => {
    given = await givenConsole();
    for (let count = 1; count <= 10; count += 1) {
      const id = await given.submitted({ type: 'kyb', subjectReference: `shop-${count}` });
      const { verification } = await given.review.open(id);
      const statuses = [(await given.post('/review/next', {})).status, (await given.get(`/review/${id}`)).status];
      for (const file of verification.files) {
        statuses.push((await given.get(`/review/${id}/files/${file.id}/thumbnail`)).status);
        statuses.push((await given.get(`/review/${id}/files/${file.id}`)).status);
      }
      statuses.push((await given.act(id, 'approve')).status);
      statuses.push((await given.act(id, 'approve', { confirmed: 'yes' })).status);
      expect(verification.files.length).toBeGreaterThan(3);
      expect(statuses).not.toContain(429);
    }
  });
});
