import { readZip } from '@countersign/test-support/zip/read-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import { BASE_URL } from '../../test-support/cases.ts';
import { type GivenDashboard, givenDashboard } from '../../test-support/dashboard.ts';
import { type ReleasedCopy, releasedCopyIn } from '../../test-support/released-copy.ts';
import type { AnswerEntry } from '../site/site.ts';

const HOUR = 60 * 60 * 1000;

let given: GivenDashboard;
let entries: AnswerEntry[];

beforeEach(async () => {
  entries = [];
  given = await givenDashboard({ onResponse: (entry) => void entries.push(entry) });
});

async function release(verificationId: string): Promise<ReleasedCopy> {
  const answer = await given.send(`/dashboard/verifications/${verificationId}/data-copy`);
  return releasedCopyIn(answer, BASE_URL);
}

async function released(): Promise<ReleasedCopy & { readonly id: string }> {
  const id = await given.submitted({ subjectReference: 'customer 7' });
  return { id, ...(await release(id)) };
}

const enter = (path: string, code: string, headers: Record<string, string> = {}) =>
  given.post(path, { code }, null, headers);

/** Enters the code and returns the unread answer. */
const download = (path: string, code: string, headers: Record<string, string> = {}): Promise<Response> =>
  given.ask(path, null, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: new URLSearchParams({ code }),
  });

const pageIn = async (answer: Response): Promise<string> =>
  String(
    (await readZip(new Uint8Array(await answer.arrayBuffer()))).find(({ name }) => name === 'index.html')?.content,
  );

describe('the page of a link', () => {
  it('says whose copy it is and until when, asks for the code, and shows nothing of the person', async () => {
    const { path } = await released();
    const { status, words, text, headers } = await given.get(path, null);
    expect(status).toBe(200);
    expect(words).toContain('Acme Bank has released a copy');
    expect(words).toContain('You can download it for another 24 hours, up to 5 times');
    expect(words).toContain('The file that you download is no longer encrypted.');
    expect(words).toContain(
      'Stored encrypted. Only Acme Bank, its reviewers and the operator of this service see your details',
    );
    expect(text).toMatch(/<input[^>]* name="code"[^>]* autocomplete="one-time-code"/);
    for (const hidden of ['customer 7', 'Ada', 'Lovelace']) expect(text).not.toContain(hidden);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
  });

  it('the page of a link is the same page for a link that is unknown, forged, replaced, or too old', async () => {
    const { path, code, id } = await released();
    const other = await release(id);
    expect(other.path).not.toBe(path);
    const pages = [path, `${other.path}x`, '/export/nothing', `/export/${id}.abc`];
    const shown = await Promise.all(pages.map((one) => given.get(one, null)));
    const posted = await enter(path, code);
    given.ports.clock.advance(24 * HOUR);
    const late = [await given.get(other.path, null), await enter(other.path, other.code)];
    for (const { status, words } of [...shown, posted, ...late]) {
      expect(status).toBe(404);
      expect(words).toContain('This link does not work');
    }
    expect(given.faults).toEqual([]);
  });

  it('the page of a link is shown in the language of the browser', async () => {
    const { path } = await released();
    const { words } = await given.get(path, null, { 'Accept-Language': 'de' });
    expect(words).toContain('Acme Bank hat eine Kopie der Daten Ihrer Prüfung freigegeben.');
  });

  it('the page of a link is logged without link and code', async () => {
    const { path, code } = await released();
    await given.get(path, null);
    await enter(path, code);
    await enter(path, 'wrong');
    const lines = entries.filter(({ path: logged }) => logged.startsWith('/export'));
    expect(lines.map(({ method, path: logged }) => `${method} ${logged}`)).toEqual([
      'GET /export/{link}',
      'POST /export/{link}',
      'POST /export/{link}',
    ]);
    const [id = '', token = ''] = path.slice('/export/'.length).split('.');
    expect(lines.map(({ verificationId }) => verificationId)).toEqual([undefined, undefined, undefined]);
    for (const secret of [id, token, code]) expect(JSON.stringify(entries)).not.toContain(secret);
  });
});

describe('the code', () => {
  it('downloads the zip five times, in any spelling, and then no more', async () => {
    const { path, code } = await released();
    for (const typed of [code, ` ${code.toLowerCase()} `, code.replace('-', ' '), code.replace('-', '')]) {
      const answer = await download(path, typed);
      expect(answer.status, typed).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="personal-data-2026-01-15.zip"',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers.has('Content-Length')).toBe(false);
      expect(await pageIn(answer)).toContain('Lovelace');
    }
    expect((await given.get(path, null)).words).toContain('up to 5 times');
    expect(await pageIn(await download(path, code))).toContain('Lovelace');
    const { status, words } = await enter(path, code);
    expect(status).toBe(404);
    expect(words).toContain('the copy may have been downloaded 5 times');
  });

  it('a wrong code is refused beside the field, with the attempts that are left; the fifth closes the copy', async () => {
    const { path, code } = await released();
    for (const left of ['4 more times', '3 more times', '2 more times', 'once more']) {
      const { status, words, text } = await enter(path, 'AAAAA-AAAAA');
      expect(status).toBe(422);
      expect(words).toContain(`The code is wrong. You can try ${left}`);
      expect(text).toMatch(/href="#field-code"/);
      expect(text).toContain('value="AAAAA-AAAAA"');
    }
    expect((await enter(path, 'AAAAA-AAAAA')).words).toContain('This link does not work');
    expect((await enter(path, code)).status).toBe(404);
    expect((await given.get(path, null)).status).toBe(404);
  });

  it('an empty or a very long one is not counted', async () => {
    const { path, code } = await released();
    for (const typed of ['', '   ', 'A'.repeat(1_000)]) {
      const { status, words } = await enter(path, typed);
      expect(status).toBe(422);
      expect(words).toContain('Enter the code');
    }
    expect((await download(path, code)).status).toBe(200);
  });

  it('the code is refused from another site, and as another kind of form', async () => {
    const { path, code } = await released();
    expect((await enter(path, code, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    const other = { 'Content-Type': 'application/json' };
    expect((await given.post(path, {}, null, other)).status).toBe(415);
  });

  it('the code in the address has no effect', async () => {
    const { path, code } = await released();
    const { headers } = await given.get(`${path}?code=${code}`, null);
    expect(headers.get('Content-Type')).toContain('text/html');
  });
});

describe('the language of the document', () => {
  const titleIn = (page: string) => /<title>(.*)<\/title>/.exec(page)?.[1];

  it('the language of the document is the one that the person chose, else the one of the verification, else the one of the browser', async () => {
    const { verification } = await given.countersign.verifications.create(given.principal, {
      subjectType: 'kyc',
      subjectReference: 'speaks German',
      locale: 'de-AT',
    });
    const { path, code } = await release(verification.id);
    expect(titleIn(await pageIn(await download(path, code)))).toBe('Kopie Ihrer Daten – Acme Bank');
    const chosen = await download(path, code, { Cookie: 'language=en' });
    expect(titleIn(await pageIn(chosen))).toBe('Copy of your data – Acme Bank');

    const other = await released();
    const german = await download(other.path, other.code, { 'Accept-Language': 'de' });
    expect(titleIn(await pageIn(german))).toBe('Kopie Ihrer Daten – Acme Bank');
  });
});

describe('limits', () => {
  it('guesses of links are counted by address, and do not lock out a valid link', async () => {
    const { path } = await released();
    const statuses: number[] = [];
    for (let guess = 0; guess <= 100; guess += 1) {
      statuses.push((await given.get(`/export/guess-${guess}.x`, null)).status);
    }
    expect(statuses.slice(0, 100).every((status) => status === 404)).toBe(true);
    expect(statuses[100]).toBe(429);
    expect((await given.get(path, null)).status).toBe(200);
  });
});

describe('a download that fails', () => {
  it('a download that fails has the rest when a file is missing, names the file, and can be repeated', async () => {
    const { path, code, id } = await released();
    const { store } = given.ports.evidence ?? {};
    const { documents } = await given.countersign.verifications.details(given.principal, id);
    const fileId = documents[1]?.id ?? '';
    await store?.delete({ clientId: given.clientId, verificationId: id, fileId });
    for (let time = 1; time <= 2; time += 1) {
      expect(await pageIn(await download(path, code))).toContain('Files that are not in this copy');
    }
    expect(given.faults).toEqual([]);
  });

  it('breaks off when a later download begins', async () => {
    const { path, code } = await released();
    const first = await download(path, code);
    const second = await download(path, code);
    await expect(first.arrayBuffer()).rejects.toThrow('The download broke off');
    expect(await pageIn(second)).toContain('Lovelace');
    expect(given.faults).toEqual([]);
  });

  it('breaks off when the data is erased meanwhile', async () => {
    const id = await given.pending({ subjectReference: 'customer 8' });
    const access = await given.accessTo(id);
    await given.countersign.subject.completeStep(access, 'consent', {
      accepted: true,
      version: '1',
      locale: 'en',
    });
    const picture = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]);
    async function* content() {
      yield picture;
    }
    await given.countersign.subject.uploadFile(access, { step: 'document', kind: 'document_front' }, content());
    const { path, code } = await release(id);
    const answer = await download(path, code);
    await given.countersign.verifications.eraseData(given.principal, id, { withdraw: true });
    await expect(answer.arrayBuffer()).rejects.toThrow('The download broke off');
    expect((await given.get(path, null)).status).toBe(404);
    expect(given.faults).toEqual([]);
  });
});
