import { beforeEach, describe, expect, it } from 'vitest';
import { BEN, type GivenConsole, givenConsole, OLGA, RITA } from '../../test-support/console.ts';

let given: GivenConsole;
let id: string;

beforeEach(async () => {
  given = await givenConsole();
  id = await given.submitted();
});

const HAND_OVER = () => `/review/${id}/hand-over`;
const handOver = (fields: Record<string, string> = {}, as = RITA) =>
  given.act(id, 'hand-over', { email: 'ben@example.org', ...fields }, as);
const claimant = async () => (await given.review.preview(id)).claim?.reviewerId ?? null;

describe('a case that is handed over', () => {
  it.each([
    ['claimed by the reviewer', RITA],
    ['claimed by a colleague', OLGA],
    ['unclaimed', null],
  ])('hand over: the colleague has the case and the note, whether it was %s', async (_was, holder) => {
    if (holder !== null) await given.act(id, 'claim', {}, holder);
    const answer = await handOver({ internalNote: 'Speaks Polish.' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/kyc/review/${id}?done=handedOver`]);
    expect(await claimant()).toBe(BEN);

    const { words } = await given.get(`/review/${id}?done=handedOver`);
    expect(words).toContain('The case is handed over.');
    expect(words).toContain('Handed over to Ben <i>Bold</i> by Rita Ora');
    expect(words).toContain('Speaks Polish.');
    expect((await given.get('/review', BEN)).text).toContain('<strong>You</strong>');
    const lines = await given.ports.storage.audit.read(0, 100);
    const line = lines.find(({ action }) => action === 'review.hand_over');
    expect(line).toMatchObject({ actor: { id: RITA }, outcome: 'allowed', targetId: id, detail: {} });
    expect(JSON.stringify(lines)).not.toMatch(/Polish|ben@example/);
  });

  it('hand over: keeps a note to the colleague who has the case already', async () => {
    await given.act(id, 'claim', {}, BEN);
    expect((await handOver({ internalNote: 'Your turn.' })).status).toBe(303);
    expect(await claimant()).toBe(BEN);
    expect((await given.get(`/review/${id}`)).words).toContain('Your turn.');
    expect((await handOver()).status).toBe(303);
  });

  it('hand over: of two reviewers at one version, the second gets a conflict and keeps the typed text', async () => {
    const { version } = await given.review.preview(id);
    await handOver();
    const late = await given.post(HAND_OVER(), {
      expectedVersion: String(version),
      email: 'olga@example.org',
      internalNote: 'Kept text.',
    });
    expect(late.status).toBe(409);
    expect(late.words).toContain('Nothing was handed over.');
    expect(late.text).toContain('Kept text.');
    expect(late.text).toContain('value="olga@example.org"');
    expect(await claimant()).toBe(BEN);
  });

  it('hand over: keeps the filters of the queue on the page, after a refusal, and afterwards', async () => {
    const filters = '?type=kyc&only=warned';
    const attribute = filters.replace('&', '&amp;');
    expect((await given.get(`/review/${id}${filters}`)).text).toContain(`href="/kyc${HAND_OVER()}${attribute}"`);
    const { text } = await given.get(HAND_OVER() + filters);
    expect(text).toContain(`action="/kyc${HAND_OVER()}${attribute}"`);
    const back = [...text.matchAll(/href="(\/kyc\/review\/[^"]+)" class="(back-link|button quiet)"/g)];
    expect(back.map(([, href]) => href)).toEqual(Array(2).fill(`/kyc/review/${id}${attribute}`));

    const send = async (email: string) => {
      const fields = { email, expectedVersion: String((await given.review.preview(id)).version) };
      const answer = await given.post(HAND_OVER() + filters, fields, RITA, { 'Sec-Fetch-Mode': 'navigate' });
      return [answer.status, answer.headers.get('Location')];
    };
    expect(await send('stranger@example.org')).toEqual([303, `/kyc${HAND_OVER()}${filters}`]);
    expect(await send('ben@example.org')).toEqual([303, `/kyc/review/${id}?done=handedOver&${filters.slice(1)}`]);
  });

  it('links to the pages of retention and copies carry the filters as well', async () => {
    const { text } = await given.get(`/review/${id}?type=kyc`, OLGA);
    for (const page of ['hold', 'data-copy']) expect(text).toContain(`/review/${id}/${page}?type=kyc"`);
  });

  it.each([
    ['stranger@example.org', 'No reviewer or operator who has joined has this address'],
    ['clara@example.org', 'No reviewer or operator who has joined has this address'],
    ['ben@example', 'E-mail address of the colleague'],
    ['', 'E-mail address of the colleague'],
  ])('hand over: refuses the address %j and changes nothing', async (email, message) => {
    const refused = await handOver({ email });
    expect(refused.status).toBe(422);
    expect(refused.words).toContain(message);
    expect(await claimant()).toBeNull();
  });

  it('hand over: the case links to its page, which has no form once the case is decided', async () => {
    expect((await given.get(`/review/${id}`)).text).toContain(`href="/kyc${HAND_OVER()}"`);
    expect((await given.get(HAND_OVER())).text).toContain('name="email"');
    await given.act(id, 'approve', { confirmed: 'yes' });
    const { words, text } = await given.get(HAND_OVER());
    expect(words).toContain('There is nothing to decide in this status.');
    expect(text).not.toContain('name="email"');
    expect((await handOver()).words).toContain('it cannot be handed over');
    expect((await given.get('/review/no-such-case/hand-over')).status).toBe(404);
  });
});
