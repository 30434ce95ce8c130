import { beforeAll, describe, expect, it } from 'vitest';
import { givenDocs, readPage, realDocument } from '../../test-support/docs-site.ts';
import type { PageDocument } from '../../test-support/page-document.ts';
import { undocumented } from '../../test-support/undocumented.ts';
import { type ApiDocument, operationsOf } from './api-document.ts';

const document = realDocument();
let reference: PageDocument;
let errors: PageDocument;

beforeAll(async () => {
  const app = givenDocs(document);
  [reference, errors] = await Promise.all([
    readPage(app, '/docs/reference'),
    readPage(app, '/docs/guides/errors'),
  ]);
});

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
    grown.webhooks['verification.added'] = structuredClone(grown.webhooks['webhook.test']) as never;

    const missing = undocumented(grown, { reference, errors });

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

  it('the reference has one form for each operation, with its input filled in from the examples', () => {
    const forms = [...reference.querySelectorAll('.try-it form')];
    expect(forms).toHaveLength(operationsOf(document).length);
    const id = reference.getElementById('try.getVerification.id');
    expect(id?.getAttribute('value')).toMatch(/^[0-9a-f-]{36}$/);
    const body = reference.getElementById('try.createVerification.body')?.textContent ?? '';
    expect(JSON.parse(body.replaceAll('&quot;', '"'))).toEqual({ subjectType: 'kyc', subjectReference: 'user_1' });
    // A parameter that erases more than asked for is never sent by default.
    const chosen = reference.querySelector('[id="try.eraseVerificationData.withdraw"] option[selected]');
    expect(chosen).toBeNull();
  });

  it('the reference has no name on a field and no address on a form, so that a browser alone can send no key', () => {
    for (const form of reference.querySelectorAll('.try-it form')) {
      expect([form.getAttribute('method'), form.hasAttribute('action')]).toEqual(['dialog', false]);
      expect([...form.querySelectorAll('[name]')]).toEqual([]);
      for (const key of form.querySelectorAll('[data-api-key]')) {
        expect([key.getAttribute('type'), key.getAttribute('autocomplete')]).toEqual(['password', 'off']);
      }
    }
    expect(reference.querySelector('[data-try-it]')?.hasAttribute('hidden')).toBe(true);
  });

  it('the reference has no forms if the API has another origin than the pages, which may not send requests there', async () => {
    const elsewhere = givenDocs(realDocument('https://api.example/v1'));
    const page = await readPage(elsewhere, '/docs/reference');
    expect([...page.querySelectorAll('form .try-status')]).toEqual([]);
    expect(page.querySelector('main')?.textContent).toContain('https://api.example/v1');
  });
});

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
