import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { ANSWERS, personOf, type Typed } from '@countersign/test-support/pages/page-answers';
import { card } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectForms } from '@countersign/test-support/pages/subject-forms';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let client: GivenApi;
let picture: Blob;

beforeAll(async () => {
  server = await startServer();
  client = await givenApi(server, { plan: 'enterprise' });
  picture = new Blob([await card('good')]);
});

/** Skips the optional upload, because decoding pictures is slow. */
const needed = (page: string): Blob | null => (page === 'proof-of-address' ? null : picture);

let made = 0;
async function newSubject(type: 'kyc' | 'kyb'): Promise<{ id: string; url: string }> {
  made += 1;
  const answer = await client.api.post({ subjectType: type, subjectReference: `subject-${made}` });
  return { id: idOf(answer), url: String(dataOf(answer).verificationUrl) };
}

/** Creates a subject who has answered all pages before `page`. */
async function at(page: string, type: 'kyc' | 'kyb' = 'kyc'): Promise<SubjectForms & { id: string; url: string }> {
  const { id, url } = await newSubject(type);
  const forms = await openSubjectForms(url, type);
  await forms.walk({ file: needed }, page);
  return { ...forms, id, url };
}

const send = (subject: SubjectForms, page: string, typed: Typed) => subject.post(page, new URLSearchParams(typed));
const readOf = async (id: string) => dataOf(await client.api.get(`/verifications/${id}`));

const owner = (row: number, percent: string): Typed => ({
  ...personOf(`beneficialOwners.${row}`, `Owner${row}`),
  [`beneficialOwners.${row}.ownershipPercent`]: percent,
  [`beneficialOwners.${row}.controlType`]: 'direct_shares',
  [`beneficialOwners.${row}.country`]: 'DE',
});

describe('an invalid answer', () => {
  const birth = ANSWERS.kyc.birth as Typed;
  const bad: readonly ['kyc' | 'kyb', string, string, Typed, string, string][] = [
    [
      'kyc',
      'a birth in the future',
      'birth',
      { ...birth, 'dateOfBirth.year': '2999' },
      'must be in the past',
      'Gdańsk',
    ],
    [
      'kyc',
      'a birth on 31 February',
      'birth',
      { ...birth, 'dateOfBirth.month': '2', 'dateOfBirth.day': '31' },
      'must be a date that exists',
      'Gdańsk',
    ],
    ['kyc', 'a subject under age', 'birth', { ...birth, 'dateOfBirth.year': '2020' }, '18', 'Gdańsk'],
    [
      'kyc',
      'an unknown country',
      'document',
      { type: 'passport', issuingCountry: 'XX' },
      'choose a country',
      'passport',
    ],
    ['kyb', 'shares of 60 % and 50 %', 'owners', { ...owner(0, '60'), ...owner(1, '50') }, '100', 'Owner1'],
    [
      'kyb',
      'an LEI with a wrong check digit',
      'numbers',
      { lei: '529900T8BM49AURSDO56', vatNumber: 'DE136695976' },
      '20 characters',
      'DE136695976',
    ],
    [
      'kyb',
      'a web address that runs a script',
      'activity',
      { activity: 'Bread', website: 'javascript:alert(1)' },
      'web address',
      'Bread',
    ],
  ];

  it.each(bad)(
    '%s: %s is reported on the same page, which keeps the other answers',
    async (type, _name, page, typed, words, kept) => {
      const subject = await at(page, type);
      const before = await readOf(subject.id);
      const asBefore = await (await subject.get(page)).text();

      const answer = await send(subject, page, typed);

      expect(answer.status).toBe(422);
      const text = await answer.text();
      expect(text).toContain('There is a problem');
      expect(text).toContain(words);
      expect(text).toContain(kept);
      expect(text).toMatch(/<title>Error:/);
      expect(await readOf(subject.id)).toEqual(before);
      // The server saved no part of the answer.
      expect((await (await subject.get(page)).text()) === asBefore).toBe(true);
    },
  );
});

describe('an answer out of order', () => {
  it('a step that is not open yet gets 409, and nothing is saved', async () => {
    const subject = await at('name');
    const answer = await send(subject, 'address', ANSWERS.kyc.address as Typed);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('You cannot open this page now');
    expect(await readOf(subject.id)).toMatchObject({
      currentStep: 2,
      submittedData: { consent: {}, document: {} },
    });
  });

  it('submitting repeatedly and concurrently submits once, and later answers get 409', async () => {
    const subject = await at('check');
    const tabs = await Promise.all([1, 2, 3].map(() => send(subject, 'check', { accepted: 'true' })));
    expect(tabs.map(({ status }) => status)).toEqual([303, 303, 303]);
    const again = await send(subject, 'check', { accepted: 'true' });
    expect(again.status).toBe(303);

    const { status, history } = dataOf(await client.api.get(`/verifications/${subject.id}/details`));
    expect(status).toBe('submitted');
    expect(history).toHaveLength(2);
    const late = await send(subject, 'name', { firstName: 'Late', lastName: 'Comer' });
    expect(late.status).toBe(409);
    expect(JSON.stringify(await readOf(subject.id))).not.toContain('Comer');
  });
});

describe('a session or a link of another subject', () => {
  const ask = (address: string, cookie: string, init: RequestInit = {}) =>
    fetch(address, { redirect: 'manual', ...init, headers: { Cookie: cookie, Origin: new URL(address).origin } });

  it("another verification's session gets 403 and changes nothing", async () => {
    const mine = await at('name');
    const theirs = await at('name');
    const { cookie } = mine.session();
    const { address } = theirs.session();

    const read = await ask(`${address}/name`, cookie);
    const written = await ask(`${address}/name`, cookie, {
      method: 'POST',
      body: new URLSearchParams({ firstName: 'Mallory', lastName: 'M' }),
    });

    expect([read.status, written.status]).toEqual([403, 403]);
    expect(await read.text()).not.toContain('firstName');
    await theirs.walk({ file: needed });
    expect(JSON.stringify(await readOf(theirs.id))).not.toContain('Mallory');
  });

  it('a forged or shortened session cookie gets 403', async () => {
    const subject = await at('name');
    const { cookie, address } = subject.session();
    const [name = '', value = ''] = cookie.split('=');
    const last = value.at(-1) === 'A' ? 'B' : 'A';
    for (const forged of [
      `${value.slice(0, -1)}${last}`,
      value.slice(0, -5),
      `${value}A`,
      '',
      'x',
      '%00',
      'a.b.c',
    ]) {
      expect((await ask(`${address}/name`, `${name}=${forged}`)).status).toBe(403);
    }
    expect((await ask(`${address}/name`, cookie)).status).toBe(200);
  });

  it('a link with a forged token or another verification’s token gets 404', async () => {
    const one = await newSubject('kyc');
    const other = await newSubject('kyc');
    const token = one.url.split('.').at(-1) ?? '';
    for (const url of [
      one.url.replace(token, `${token.slice(0, -2)}AA`),
      one.url.replace(token, ''),
      other.url.replace(/\.[^.]*$/, `.${token}`),
    ]) {
      const answer = await fetch(url, { redirect: 'manual' });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(await answer.text()).toContain('This link is not valid');
    }
  });

  it('a form from another site gets 403 and changes nothing', async () => {
    const subject = await at('name');
    const { cookie, address } = subject.session();
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      {},
    ]) {
      const answer = await fetch(`${address}/name`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie, ...headers },
        body: new URLSearchParams({ firstName: 'Mallory', lastName: 'M' }),
      });
      expect(answer.status).toBe(403);
    }
    await subject.walk({ file: needed });
    expect(JSON.stringify(await readOf(subject.id))).not.toContain('Mallory');
  });

  it('opening a link repeatedly, as mail scanners do, changes nothing', async () => {
    const { id, url } = await newSubject('kyc');
    const before = dataOf(await client.api.get(`/verifications/${id}/details`));
    for (const method of ['GET', 'HEAD', 'GET']) await fetch(url, { method });
    expect(dataOf(await client.api.get(`/verifications/${id}/details`))).toEqual(before);
  });
});
