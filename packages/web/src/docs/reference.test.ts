import { beforeAll, describe, expect, it } from 'vitest';
import { BASE, givenDocs, readPage, realDocument } from '../../test-support/docs-site.ts';
import type { PageDocument } from '../../test-support/page-document.ts';
import { undocumented } from '../../test-support/undocumented.ts';
import { type ApiDocument, operationsOf } from './api-document.ts';

const document = realDocument();
const operations = operationsOf(document).map(({ operationId }) => operationId);
let index: PageDocument;
let reference: ReadonlyMap<string, PageDocument>;
let errors: PageDocument;

beforeAll(async () => {
  const app = givenDocs(document);
  const names = [...operations, 'webhooks', 'objects', 'headers'];
  const pages = await Promise.all(names.map((name) => readPage(app, `/docs/reference/${name}`)));
  reference = new Map(names.map((name, at) => [name, pages[at] as PageDocument]));
  [index, errors] = await Promise.all([readPage(app, '/docs/reference'), readPage(app, '/docs/guides/errors')]);
});

/** Returns the page of an operation. */
const pageOf = (id: string): PageDocument => {
  const page = reference.get(id);
  if (page === undefined) throw new Error(`no page ${id}`);
  return page;
};

describe('the reference and the list of errors', () => {
  it('show every operation, parameter, response, code, field, header and webhook of the OpenAPI document', () => {
    expect(undocumented(document, { reference, errors })).toEqual([]);
  });

  it('the reference and the list of errors are found incomplete if the document has more than they show', () => {
    const grown = structuredClone(document) as Mutable<ApiDocument>;
    const { get: list, post: create } = grown.paths['/verifications'] ?? {};
    if (list === undefined || create === undefined) throw new Error('the document has no /verifications');
    grown.paths['/verifications/{id}/new'] = { get: { ...list, operationId: 'added', description: 'Added.' } };
    create.parameters?.push({ ...create.parameters[0], name: 'Added' } as never);
    const teapot = { success: false, error: 'Added', code: 'ADDED' };
    const refusals = create.responses['409']?.content?.['application/json']?.examples ?? {};
    refusals.ADDED = { summary: 'Added.', value: teapot };
    const { Verification, KycPerson } = grown.components.schemas;
    if (Verification?.properties) Verification.properties.added = { type: 'string' };
    if (KycPerson?.properties?.firstName) KycPerson.properties.firstName.description = 'Added.';
    const webhooks = { ...grown.webhooks, 'verification.added': grown.webhooks?.['webhook.test'] as never };

    const missing = undocumented({ ...grown, webhooks }, { reference, errors });

    const [ofAdded, others] = [
      missing.filter((name) => name.startsWith('added')),
      missing.filter((name) => !name.startsWith('added')),
    ];
    expect(ofAdded).toContain('added');
    expect(others).toEqual([
      'createVerification.Added',
      'createVerification 409 ADDED',
      'Verification.added',
      'KycPerson.firstName',
      'verification.added',
      '409 ADDED',
    ]);
  });

  it('each operation has a page with one form, with its input filled in from the examples', () => {
    for (const id of operations) expect(pageOf(id).querySelectorAll('.try-it form'), id).toHaveLength(1);
    const id = pageOf('getVerification').getElementById('try.getVerification.id');
    expect(id?.getAttribute('value')).toMatch(/^[0-9a-f-]{36}$/);
    const body = pageOf('createVerification').getElementById('try.createVerification.body')?.textContent ?? '';
    expect(JSON.parse(body.replaceAll('&quot;', '"'))).toEqual({ subjectType: 'kyc', subjectReference: 'user_1' });
    // A parameter that erases more than asked for is never sent by default.
    const erase = pageOf('eraseVerificationData');
    expect(erase.getElementById('try.eraseVerificationData.withdraw')).not.toBeNull();
    expect(erase.querySelector('[id="try.eraseVerificationData.withdraw"] option[selected]')).toBeNull();
  });

  it('the form that creates leads to the operation that reads', () => {
    const nextOf = (id: string) =>
      [...pageOf(id).querySelectorAll('.try-next a')].map((a) => a.getAttribute('href'));
    expect(nextOf('createVerification')).toEqual([`${BASE}/docs/reference/getVerification`]);
    expect(nextOf('listVerifications')).toEqual([]);
  });

  it('the reference has no name on a field and no address on a form, so that a browser alone can send no key', () => {
    for (const page of reference.values()) {
      for (const form of page.querySelectorAll('.try-it form')) {
        expect([form.getAttribute('method'), form.hasAttribute('action')]).toEqual(['dialog', false]);
        expect([...form.querySelectorAll('[name]')]).toEqual([]);
        for (const key of form.querySelectorAll('[data-api-key]')) {
          expect([key.getAttribute('type'), key.getAttribute('autocomplete')]).toEqual(['password', 'off']);
        }
      }
    }
    expect(pageOf('createVerification').querySelector('[data-try-it]')?.hasAttribute('hidden')).toBe(true);
  });

  it('the list has an entry with the old anchor of each operation, object, webhook and header, and a link on', () => {
    const { components, webhooks = {} } = document;
    const names = [...operations, ...Object.keys(components.schemas), ...Object.keys(webhooks)];
    for (const name of names) {
      const href = index.getElementById(name)?.querySelector('a')?.getAttribute('href') ?? '';
      const [page = '', anchor] = href.slice(`${BASE}/docs/reference/`.length).split('#');
      expect(pageOf(page).getElementById(anchor ?? name), name).not.toBeNull();
      expect(anchor ?? name).toBe(name);
    }
    for (const id of ['tag-webhooks', 'objects', 'headers']) expect(index.getElementById(id), id).not.toBeNull();
  });

  it('an unknown operation gets the 404 page', async () => {
    expect((await givenDocs(document).request('/docs/reference/unknown')).status).toBe(404);
  });

  it('the reference has no forms if the API has another origin than the pages, which may not send requests there', async () => {
    const elsewhere = givenDocs(realDocument('https://api.example/v1'));
    const page = await readPage(elsewhere, '/docs/reference/createVerification');
    expect([...page.querySelectorAll('form .try-status')]).toEqual([]);
    const list = await readPage(elsewhere, '/docs/reference');
    expect(list.querySelector('main')?.textContent).toContain('https://api.example/v1');
  });
});

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
