import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { ADA, givenTeam } from '../../test-support/client-team.ts';
import { type GivenConsole, givenConsole, RITA } from '../../test-support/console.ts';
import { givenFlow } from '../../test-support/flow.ts';

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole();
});

const ASKED = { 'Accept-Encoding': 'gzip, br', 'Sec-Fetch-Site': 'same-origin' };

const encodingOf = async (path: string, headers: Record<string, string>, as: string | null = RITA) =>
  (await given.ask(path, as, { headers })).headers.get('Content-Encoding');

it('a page is sent in gzip, whole, with its headers', async () => {
  const plain = await given.ask('/review', RITA);
  const response = await given.ask('/review', RITA, { headers: ASKED });
  expect(response.headers.get('Content-Encoding')).toBe('gzip');
  expect(response.headers.get('Vary')).toBe('Accept-Encoding');
  expect(response.headers.get('Content-Type')).toBe(plain.headers.get('Content-Type'));
  expect(response.headers.get('Content-Security-Policy')).toBe(plain.headers.get('Content-Security-Policy'));
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const html = await plain.text();
  const sent = Buffer.from(await response.arrayBuffer());
  expect(gunzipSync(sent).toString()).toBe(html);
  expect(sent.byteLength).toBeLessThan(html.length / 2);
});

it.each([
  ['no Accept-Encoding', { 'Sec-Fetch-Site': 'same-origin' }],
  ['gzip;q=0', { ...ASKED, 'Accept-Encoding': 'gzip;q=0, br' }],
])('a page is not compressed for a browser that sends %s', async (_what, headers) => {
  expect(await encodingOf('/review', headers)).toBeNull();
});

it.each([
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
  ['a browser that does not say who asks', {}],
])(
  'a page of a signed-in user is not compressed for %s: its size would reveal a secret',
  async (_what, headers) => {
    expect(await encodingOf('/review', { 'Accept-Encoding': 'gzip', ...headers })).toBeNull();
    expect(await encodingOf('/account/sign-in', { 'Accept-Encoding': 'gzip', ...headers }, null)).toBe('gzip');
  },
);

it('an error page is compressed and keeps its status', async () => {
  const response = await given.ask('/review/nowhere', RITA, { headers: ASKED });
  expect([response.status, response.headers.get('Content-Encoding')]).toEqual([404, 'gzip']);
  const forbidden = await given.ask('/admin', RITA, { headers: ASKED });
  expect([forbidden.status, forbidden.headers.get('Content-Encoding')]).toEqual([403, 'gzip']);
});

it('redirects, short parts of a page and answers to HEAD are sent as they are', async () => {
  expect(await encodingOf('/admin', ASKED, null)).toBeNull();
  expect(
    (await given.ask('/review', RITA, { method: 'HEAD', headers: ASKED })).headers.get('Content-Encoding'),
  ).toBeNull();
  const flow = await givenFlow();
  await flow.start();
  const progress = await flow.browser.open(flow.address('phone/progress'), ASKED);
  expect([progress.status, progress.headers.get('Content-Encoding')]).toEqual([200, null]);
});

it('a file of a verification and an export are sent as they are', async () => {
  const id = await given.submitted();
  const [uploaded] = (await given.review.open(id)).verification.files;
  const file = await given.ask(`/review/${id}/files/${uploaded?.id}`, RITA, { headers: ASKED });
  expect([file.status, file.headers.get('Content-Encoding')]).toEqual([200, null]);
  const team = await givenTeam();
  await team.submitted();
  const rows = await team.get('/dashboard/verifications/export.csv', ADA, ASKED);
  expect([rows.status, rows.headers.get('Content-Encoding')]).toEqual([200, null]);
});
