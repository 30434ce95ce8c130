import { FOUND_CASES_MAX, SEARCHED_CLIENTS_MAX, shortReference } from '@countersign/domain';
import { withdrawVerification } from '@countersign/domain/actions';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  BEN,
  CLARA,
  type Fields,
  type GivenConsole,
  givenConsole,
} from '../../test-support/console.ts';

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole();
});

const ADA = { query: 'Ada Lovelace', birthDate: '1990-02-28' };
/** The headers of a browser that shows the answer as a page. */
const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate' };

const search = (fields: Fields, as?: string) => given.post('/review/search', fields, as);

/** The cases on a page, in its order. */
function casesIn({ text }: Answer): string[] {
  return [...text.matchAll(/href="\/kyc\/review\/([^"?]+)[^"]*" data-case/g)].map(([, id = '']) => id);
}

it('the queue has the search, whose key is /', async () => {
  const { text } = await given.get('/review?type=kyc');
  expect(text).toMatch(/<form method="post" action="\/kyc\/review\/search\?type=kyc"/);
  expect(text).toMatch(/<input [^>]*name="query"[^>]*data-key="\/"/);
  expect(text).toMatch(/<input [^>]*name="birthDate"[^>]*type="date"/);
  expect((await given.get('/review/keys')).words).toContain('/ Go to the search');
});

it('the way back from the search leads to the queue with its filters', async () => {
  const { text, words } = await given.get('/review/search?type=kyc');
  expect(text).toContain('<title>Search for a case ');
  expect(words).not.toContain('Enter a reference');
  expect(text).toContain('href="/kyc/review?type=kyc" class="back-link"');
});

it.each<[by: string, of: (id: string) => Fields]>([
  ['the reference', () => ({ query: 'ada-1' })],
  ['the id', (id) => ({ query: id })],
  ['the short reference', (id) => ({ query: shortReference(id).toLowerCase() })],
  ['the full name and the date of birth', () => ADA],
])('a case is found by %s, in a row like those of the queue', async (_, of) => {
  const id = await given.submitted({ subjectReference: 'ada-1' });
  await given.pending({ subjectReference: 'other' });
  const answer = await search(of(id));
  expect([answer.status, casesIn(answer)]).toEqual([200, [id]]);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.words).toContain('1 case');
  expect(answer.words).toMatch(/Ada Lovelace ada-1 Identity card Germany .* Acme Bank Unclaimed To review/);
});

it('a decided case says who decided it and when', async () => {
  const id = await given.submitted();
  const gone = await given.pending({ subjectReference: 'gone' });
  await given.act(id, 'approve', { confirmed: 'yes' }, BEN);
  await given.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: gone });
  expect((await search(ADA)).words).toMatch(/Acme Bank Ben <i>Bold<\/i> 15 January 2026 Approved/);
  expect((await search({ query: 'gone' })).words).toMatch(/gone .* Acme Bank 15 January 2026 Withdrawn/);
});

it('a search that finds nothing says what is found', async () => {
  await given.submitted();
  const { status, words } = await search({ query: 'Ada Lovelace' });
  expect(status).toBe(200);
  expect(words).toContain('No case found.');
  expect(words).toContain('or a full name with the date of birth');
});

it('a search without the index key of a client says that it is incomplete, and keeps what was typed', async () => {
  const id = await given.submitted({ subjectReference: 'ada-1' });
  expect((await search(ADA)).words).not.toContain('incomplete');
  vi.spyOn(given.ports.secrets, 'label').mockImplementation(() => {
    throw new Error('The key cannot be read');
  });
  const answer = await search(ADA);
  expect([answer.status, casesIn(answer)]).toEqual([200, []]);
  expect(answer.words).toMatch(
    /This search is incomplete .* Acme Bank Search by reference or ID instead.* No case found\./,
  );
  expect(answer.text).toContain('value="Ada Lovelace"');
  expect(answer.text).toContain('value="1990-02-28"');
  const german = await given.post('/review/search', ADA, undefined, { 'Accept-Language': 'de' });
  expect(german.words).toContain('Diese Suche ist unvollständig');
  expect(casesIn(await search({ query: 'ada-1' }))).toEqual([id]);
});

describe('a form', () => {
  it('a search is sent to a page that can be reloaded, and no address has what was searched for', async () => {
    const id = await given.submitted();
    const sent = await given.ask('/review/search?type=kyc', undefined, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin', ...NAVIGATION },
      body: new URLSearchParams(ADA),
    });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('Location')).toBe('/kyc/review/search?type=kyc');
    const [cookie = ''] = (sent.headers.get('Set-Cookie') ?? '').split(';');
    expect(cookie).not.toMatch(/lovelace|1990/i);
    const own = `${given.accounts.signedIn('rita')}; ${cookie}`;
    for (const time of ['first', 'again']) {
      const answer = await given.get('/review/search', undefined, { Cookie: own });
      expect([time, casesIn(answer)]).toEqual([time, [id]]);
      expect(answer.text).toContain('value="Ada Lovelace"');
    }
    const other = await given.get('/review/search', undefined, {
      Cookie: `${given.accounts.signedIn(BEN)}; ${cookie}`,
    });
    expect(other.words).toContain('What are you looking for?');
    given.ports.clock.advance(5 * 60_000);
    expect((await given.get('/review/search', undefined, { Cookie: own })).text).not.toContain('Lovelace');
  });

  it.each<[what: string, fields: Fields, message: string]>([
    ['nothing', {}, 'Enter a reference, a document number or a name'],
    ['only spaces', { query: '   ' }, 'Enter a reference, a document number or a name'],
    ['10,000 characters', { query: 'x'.repeat(10_000) }, '256 characters'],
    ['no date', { ...ADA, birthDate: '28.2.1990' }, 'Date of birth'],
  ])('a search for %s is shown again with a message', async (_, fields, message) => {
    await given.submitted();
    const { status, words, text } = await search(fields);
    expect(status).toBe(422);
    expect(text).toContain('<title>Error: ');
    expect(words).toContain(message);
    expect(text).not.toContain('data-case');
    expect(given.faults).toEqual([]);
  });

  it.each(["' OR '1'='1", 'user_%', '*', '<b>x</b>'])('a search for %s finds nothing', async (query) => {
    await given.submitted();
    const { status, words, text } = await search({ query });
    expect(status).toBe(200);
    expect(words).toContain('No case found.');
    expect(text).not.toContain('<b>x</b>');
  });

  it('a storage fault during a search answers 500', async () => {
    vi.spyOn(given.ports.storage.verifications, 'clientsWithReference').mockRejectedValue(new Error('canary'));
    expect((await search({ query: 'ada-1' })).status).toBe(500);
    expect(given.faults).toHaveLength(1);
  });

  it('a search of a caller who is no reviewer is refused', async () => {
    expect((await search(ADA, CLARA)).status).toBe(403);
  });
});

it('a search shows the newest of too many cases, and a line says so', async () => {
  const ids: string[] = [];
  for (let n = 0; n <= FOUND_CASES_MAX; n += 1) ids.push(await given.submitted());
  const answer = await search(ADA);
  expect(casesIn(answer)).toEqual(ids.slice(1).toReversed());
  expect(answer.words).toContain(`The newest ${FOUND_CASES_MAX} are shown`);
  expect(answer.words).toContain(`More than ${FOUND_CASES_MAX} cases`);
});

describe('where there are many clients', () => {
  beforeEach(async () => {
    for (let n = 1; n <= SEARCHED_CLIENTS_MAX; n += 1)
      await given.countersign.clients.create({ name: `Zebra ${n}`, plan: 'none' });
  });

  it('a name is searched for in a client that the reviewer chooses', async () => {
    const id = await given.submitted();
    const refused = await search(ADA);
    expect(refused.status).toBe(422);
    expect(refused.words).toContain('Choose a client');
    expect(refused.text).toMatch(/<input [^>]*name="clientId"[^>]*aria-invalid/);
    expect(casesIn(await search({ ...ADA, clientId: 'acme' }))).toEqual([id]);
    expect(casesIn(await search({ ...ADA, clientId: 'Zebra 7' }))).toEqual([]);
  });

  it('a name of no client, or of several, is refused', async () => {
    for (const clientId of ['Unknown', 'Zebra']) {
      const { status, text } = await search({ ...ADA, clientId });
      expect([clientId, status]).toEqual([clientId, 422]);
      expect(text).not.toContain('data-case');
      expect(text).not.toMatch(/href="[^"]*Lovelace/);
    }
  });
});
