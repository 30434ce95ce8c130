import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectType } from '@countersign/domain';
import { describeWith } from '@countersign/real-servers';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { dataOf, idOf } from '../given/api-client.ts';
import { change } from '../given/database-file.ts';
import { extent } from '../given/extent.ts';
import { ANSWERS, personOf, type Typed } from '../given/page-answers.ts';
import { blurredCard, card, pdf } from '../given/pictures.ts';
import { startServer } from '../given/server-process.ts';
import { openSubjectForms, type SubjectContent } from '../given/subject-forms.ts';
import { type BothLanguages, inBothLanguages } from './given/both-languages.ts';
import { type CountersignSite, startSite } from './given/countersign-site.ts';
import { mountedRoutes } from './given/mounted-routes.ts';
import { givenStaff, PASSWORD, type Staff } from './given/staff.ts';

let site: CountersignSite;
let reviewer: Staff;
let good: Blob;
/** A word that does not fit on a narrow screen, as names and addresses may be. */
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle';
const requestIds: string[] = [];
const slugs = new Set<string>();

const newReader = (language: 'en' | 'de'): Promise<BothLanguages> =>
  inBothLanguages(site.origin, language, (requestId) => requestIds.push(requestId));

describeWith(['chromium'], 'every page, in both languages, light and dark, narrow and wide', () => {
  beforeAll(async () => {
    site = await startSite();
    [reviewer, good] = await Promise.all([givenStaff(site), small('good')]);
  });

  describe('before anybody has handed anything in', () => {
    it('the queue is accessible', async () => {
      const reader = await atTheDesk(reviewer);
      await reader.look('/review');
      reader.expectNothingWrong();
    });
  });

  describe.concurrent('is accessible, asks nothing of other origins, and keeps to its policy:', {
    timeout: 600_000,
  }, () => {
    it('the way of a person', () => {
      const name = { ...ANSWERS.kyc.name, lastName: LONG };
      return everyPageOf('kyc', { name }, 'id_card');
    });

    it('the way of a business', () =>
      everyPageOf(
        'kyb',
        { owners: { noBeneficialOwner: 'true' }, managers: personOf('seniorManagers.0') },
        'id_card',
      ));

    it('what can come between a subject and a page', async () => {
      const reader = await newReader('de');
      const [mine, others, expired] = await Promise.all([
        site.create('kyc'),
        site.create('kyb'),
        site.create('kyc'),
      ]);
      await reader.look('/');
      await reader.look('/verify/nobody.knows-it', 404);
      await reader.look('/account/nothing-here', 404);
      await reader.look(`/verify/${others.id}`, 403);
      await reader.visit(mine.url);
      await reader.look(`/verify/${mine.id}/selfie`, 409);
      await reader.look(`/verify/${mine.id}/nothing-here`, 404);
      await reader.look(`/verify/${mine.id}/phone`);
      await reader.post('/language', { language: 'xx' }, 400);
      const { databaseFile } = site.server;
      change(databaseFile, 'UPDATE verifications SET link_expires_at = 1 WHERE id = ?', expired.id);
      await reader.look(new URL(expired.url).pathname, 410);
      reader.expectNothingWrong();
    });

    it('the end of too many requests', async () => {
      const strict = await startServer({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
      const origin = `http://localhost:${strict.port}`;
      await (await fetch(`${origin}/verify/nobody.knows-it`)).text();
      const reader = await inBothLanguages(origin, 'de');
      await reader.look('/verify/nobody.knows-it', 429);
      reader.expectNothingWrong();
    });

    it('signing in, and a second factor', async () => {
      const [staff, invited, ofClient] = await Promise.all([
        givenStaff(site),
        site.invite('operator'),
        givenStaff(site, 'client'),
      ]);
      const reader = await newReader('en');
      const welcome = new URL(invited.signInUrl).pathname;
      await reader.look(welcome);
      await reader.post(welcome, { password: 'short', repeat: 'short' }, 422);
      await reader.look('/account/welcome/used-up', 410);
      await reader.post('/account/welcome/used-up', {}, 410);
      await reader.look('/account/sign-in?returnTo=%2Freview');
      await reader.post('/account/sign-in', {}, 422);
      await reader.post('/account/sign-in', { email: staff.email, password: 'wrong' }, 422);
      await reader.look('/account/second-factor');
      await reader.post('/account/second-factor', { code: '' }, 422);

      await reader.addCookies(ofClient.cookies);
      await reader.look('/account/home');
      await reader.look('/review', 403);

      await reader.addCookies(staff.cookies);
      await reader.look('/account/security?needed=1');
      await reader.post('/account/security/begin', { password: '' }, 422);
      await reader.post('/account/security/begin', { password: PASSWORD }, 200);
      const setup = { uri: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP', secret: 'JBSWY3DPEHPK3PXP' };
      await reader.post('/account/security/confirm', { ...setup, backupCodes: 'alpha-1111', code: '1' }, 422);
      await reader.post('/account/security/remove', { password: '' }, 422);
      await reader.look('/account/security?done=removed');
      await reader.addCookies(await withSecondFactor(staff));
      await reader.look('/account/security?done=added');

      for (let attempt = 0; attempt < 20; attempt += 1) {
        const body = new URLSearchParams({ email: staff.email, password: 'wrong' });
        const headers = { Origin: site.origin };
        const answer = await fetch(`${site.origin}/account/sign-in`, { method: 'POST', headers, body });
        await answer.text();
        if (answer.status === 429) break;
      }
      await reader.look('/account/sign-in');
      await reader.post('/account/sign-in', { email: staff.email, password: 'wrong' }, 429);
      reader.expectNothingWrong();
    });

    it('the desk of a reviewer', async () => {
      const [reader, other] = await Promise.all([atTheDesk(reviewer), givenStaff(site)]);
      const strange = { nationality: { 'nationalities.0': 'PL', nationalIdNumber: '1' } };
      const blurred = new Blob([await blurredCard('blurred')]);
      const [kyc, kyb, held, asked, turnedDown] = await Promise.all([
        handedIn('kyc', { answers: strange, file: () => blurred }),
        handedIn('kyb'),
        handedIn('kyc'),
        handedIn('kyc', { answers: { name: { ...ANSWERS.kyc.name, lastName: LONG } } }),
        handedIn('kyc'),
      ]);
      await decide(other, held.id, 'claim');
      await reader.look('/review');
      await reader.look('/review?page=2&type=kyc');
      await reader.look('/review?status=rejected&claim=mine');
      await reader.look('/review/keys');

      for (const { id } of [kyc, kyb]) await reader.look(`/review/${id}`);
      await reader.look(`/review/${held.id}`);
      const at = `/review/${kyc.id}`;
      const expectedVersion = await versionOf(kyc.id);
      await reader.look(at);
      const ask = {
        'ask.steps': 'document',
        'ask.document.reasonCode': 'document_glare',
        'ask.document.note': `The number cannot be read ${LONG}`,
        'ask.message': `Nearly there ${LONG}`,
        'ask.internalNote': `Look at the number ${LONG}`,
      };
      const reject = { 'reject.reasonCodes': 'data_mismatch', 'reject.message': `Another date ${LONG}` };
      await reader.post(`${at}/approve`, { expectedVersion }, 200);
      await reader.post(`${at}/reject`, { expectedVersion, ...reject }, 200);
      await reader.post(`${at}/ask`, { expectedVersion, ...ask }, 200);
      await reader.post(`${at}/reject`, { expectedVersion }, 422);
      await reader.post(`${at}/ask`, { expectedVersion }, 422);
      await reader.post(`${at}/note`, { expectedVersion }, 422);
      await reader.post(`${at}/claim`, { expectedVersion: '1' }, 409);
      await reader.post(`${at}/release`, { expectedVersion: '1' }, 409);
      await reader.post(`${at}/approve`, { expectedVersion: '1', 'approve.internalNote': 'Kept' }, 409);
      await reader.post(`/review/${held.id}/reject`, { expectedVersion, ...reject }, 409);

      await decide(reviewer, kyb.id, 'note', { 'note.internalNote': 'A note' });
      await decide(reviewer, asked.id, 'ask', ask);
      await decide(reviewer, turnedDown.id, 'reject', reject);
      await decide(reviewer, kyc.id, 'approve');
      await reader.look(`/review/${kyc.id}?done=approved`);
      await reader.look(`/review/${asked.id}?done=asked`);
      await reader.look(`/review/${turnedDown.id}`);
      await reader.look('/review/nobody', 404);

      for (const { url, id } of [kyc, turnedDown]) {
        await reader.visit(url);
        await reader.look(`/verify/${id}`);
      }
      await reader.visit((await site.details(asked.id)).verificationUrl);
      await reader.look(`/verify/${asked.id}`);
      await reader.look(`/verify/${asked.id}/document`);
      await reader.look(`/verify/${asked.id}/document-front`);
      await reader.look(`/verify/${asked.id}/document-front?again`);
      reader.expectNothingWrong();
    });
  });

  it('all of them were looked at', async () => {
    const texts = join(import.meta.dirname, '../../packages/web/src/locales/en/verify.json');
    const { pages } = JSON.parse(readFileSync(texts, 'utf8')) as { pages: Record<string, object> };
    expect([...slugs].sort()).toEqual(Object.keys(pages).sort());

    // The log says which route answered: it is whole once the server has ended.
    const { stdout } = await site.server.stop();
    const lines = stdout.split('\n').filter((line) => line.includes('"requestId"'));
    const routes = lines.map((line) => JSON.parse(line) as { requestId: string; method: string; path: string });
    const looked = routes.filter(({ requestId }) => requestIds.includes(requestId));
    const seen = new Set(looked.map(({ method, path }) => `${method} ${path}`));
    const missed = (await mountedRoutes()).filter((route) => !seen.has(route) && !NO_PAGES.includes(route));
    expect(missed).toEqual([]);
  });
});

/** Routes that never answer with a page of their own. Whoever adds a route adds it here, or looks at it above. */
const NO_PAGES: readonly string[] = [
  // They lead on.
  'GET /account',
  ...['begin', 'confirm', 'remove'].map((form) => `GET /account/security/${form}`),
  'POST /account/sign-out',
  ...['approve', 'ask', 'claim', 'note', 'reject', 'release'].map((act) => `GET /review/{id}/${act}`),
  'GET /review/next',
  'POST /review/keys',
  // Contents of files.
  'GET /review/{id}/files/{fileId}',
  'GET /verify/{id}/files/{fileId}',
  // A part of the page before it.
  'GET /verify/{id}/phone/progress',
];

/** Goes from the link to the end; looks at each page when it is first reached, with an error, and with what it has. */
async function everyPageOf(type: SubjectType, answers: Record<string, Typed>, document: string): Promise<void> {
  const [{ id, url }, reader, blurred] = await Promise.all([
    site.create(type),
    newReader(type === 'kyc' ? 'en' : 'de'),
    blurredCard('blurred'),
  ]);
  const forms = await openSubjectForms(url, type);
  const own = `/verify/${id}`;
  const chosen = Object.fromEntries(
    Object.entries(ANSWERS[type].document ?? {}).map(([name, value]) => [
      name,
      name.endsWith('type') ? document : value,
    ]),
  );
  const content = (picture: Blob) => ({
    answers: { ...answers, document: chosen },
    file: (slug: string) => (isPaper(slug) ? new Blob([pdf('Paper')]) : picture),
  });

  await reader.visit(url);
  await reader.look(own);
  for (let slug = await forms.next(content(good)); slug !== 'check'; ) {
    const path = `${own}/${slug}`;
    slugs.add(slug);
    await reader.look(path);
    const isUpload = ANSWERS[type][slug] === undefined && answers[slug] === undefined;
    if (EVERY_KIND.includes(slug) || extent({ full: 1, short: 0 }) === 1) {
      await reader.post(path, isUpload ? { file: { file: 'no picture' } } : (WRONG[slug] ?? {}), 422);
    }
    if (isUpload) {
      const picture = slug === 'selfie' ? new Blob([new Uint8Array(blurred)]) : good;
      const body = new FormData();
      body.set('file', content(picture).file(slug));
      expect((await forms.post(slug, body)).status).toBe(303);
      await reader.look(path);
      if (slug === 'selfie') await reader.look(`${path}?again`);
    }
    slug = await forms.next(content(good));
  }
  await reader.look(own);
  await reader.look(`${own}/phone`);
  await reader.look(`${own}/check`);
  await reader.post(`${own}/check`, {}, 422);
  await forms.next(content(good));
  await reader.look(own);
  await reader.look(`${own}/check`, 409);
  reader.expectNothingWrong();
}

/** Pages with errors at each kind of field, and at files: others look like these, and take half a minute more. */
const EVERY_KIND = [
  'consent',
  'birth',
  'nationality',
  'contact',
  'document',
  'directors',
  'owners',
  'articles',
  'selfie',
];

/** What is refused on pages that ask for nothing that has to be answered. */
const WRONG: Readonly<Record<string, Typed>> = { contact: { email: 'nobody' }, numbers: { lei: '1' } };

function isPaper(slug: string): boolean {
  return !/^(selfie|document-)/.test(slug);
}

async function small(text: string): Promise<Blob> {
  return new Blob([await card(text, { width: 640, height: 400 })]);
}

let madeHere = 0;

async function handedIn(
  type: SubjectType,
  content: Partial<SubjectContent> = {},
): Promise<{ id: string; url: string }> {
  madeHere += 1;
  const answer = await site.api.post({ subjectType: type, subjectReference: `${LONG}-${madeHere}` });
  const made = { id: idOf(answer), url: String(dataOf(answer).verificationUrl) };
  const forms = await openSubjectForms(made.url, type);
  const file = (slug: string) => (isPaper(slug) ? new Blob([pdf('Paper')]) : good);
  await forms.walk({ file, ...content, ...(content.file && { file: picturesOf(content.file) }) });
  return made;
}

function picturesOf(file: SubjectContent['file']): SubjectContent['file'] {
  return (slug) => (isPaper(slug) ? new Blob([pdf('Paper')]) : file(slug));
}

async function atTheDesk({ cookies }: Staff): Promise<BothLanguages> {
  const reader = await newReader('en');
  await reader.addCookies(cookies);
  return reader;
}

const cookieHeader = ({ cookies }: Pick<Staff, 'cookies'>) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ');

async function versionOf(id: string): Promise<string> {
  const page = await fetch(`${site.origin}/review/${id}`, { headers: { Cookie: cookieHeader(reviewer) } });
  return /name="expectedVersion" value="(\d+)"/.exec(await page.text())?.[1] ?? '';
}

/** Does something to a case, over a plain form. */
async function decide(staff: Staff, id: string, act: string, fields: Typed = {}): Promise<void> {
  const answer = await formOf(staff, `/review/${id}/${act}`, {
    expectedVersion: await versionOf(id),
    confirmed: 'yes',
    ...fields,
  });
  expect(answer.status).toBe(303);
}

function formOf(staff: Pick<Staff, 'cookies'>, path: string, fields: Typed): Promise<Response> {
  return fetch(site.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookieHeader(staff), Origin: site.origin },
    body: new URLSearchParams(fields),
  });
}

/** Sets a second factor up. @returns the cookies of the session that comes of it */
async function withSecondFactor(staff: Staff): Promise<Staff['cookies']> {
  const shown = await (await formOf(staff, '/account/security/begin', { password: PASSWORD })).text();
  const values = (name: string) =>
    [...shown.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value = '']) => value);
  const [secret = ''] = values('secret');
  const answer = await formOf(staff, '/account/security/confirm', {
    uri: (values('uri')[0] ?? '').replaceAll('&amp;', '&'),
    secret,
    backupCodes: values('backupCodes')[0] ?? '',
    saved: 'true',
    code: new TOTP({ secret }).generate(),
  });
  expect(answer.headers.get('location')).toContain('done=added');
  return answer.headers.getSetCookie().map((cookie) => {
    const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split(/=(.*)/s);
    return { name, value, url: site.origin };
  });
}
