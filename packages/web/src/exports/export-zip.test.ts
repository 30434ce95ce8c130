import { buffer } from 'node:stream/consumers';
import type { SubjectType } from '@countersign/domain';
import type { ExportDownload, PersonalData } from '@countersign/domain/exports';
import { PART_NAMES } from '@countersign/domain/storage';
import { askAll } from '@countersign/test-support/service/flow-settings';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { describe, expect, it } from 'vitest';
import { type GivenCases, givenCases } from '../../test-support/cases.ts';
import { exportedOf } from '../../test-support/exported.ts';
import { type PageDocument, pageDocument } from '../../test-support/page-document.ts';
import type { Language } from '../site/language.ts';
import { translator } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { exportZip } from './export-zip.ts';

const aPage = (language: Language): Page => ({
  language,
  t: translator(language),
  parts: new Set(PART_NAMES),
  href: (path) => path,
  url: (path) => `https://verify.example${path}`,
  asset: (name) => name,
  path: '/',
  returnPath: '/',
  requestId: '1',
  acceptsHeic: false,
  turn: () => Promise.resolve(),
});

interface Unzipped {
  readonly names: readonly string[];
  readonly html: string;
  readonly document: PageDocument;
  readonly words: string;
  readonly json: PersonalData & { readonly formatVersion: number };
  readonly contents: ReadonlyMap<string, Buffer>;
}

async function unzipped(download: ExportDownload, language: Language = 'en'): Promise<Unzipped> {
  const zip = await exportZip(download, aPage(language));
  const files = await readZip(await buffer(zip.parts));
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const html = String(contents.get('index.html'));
  const document = pageDocument(html);
  return {
    names: files.map(({ name }) => name),
    html,
    document,
    words: (document.querySelector('main')?.textContent ?? '').replace(/\s+/g, ' '),
    json: JSON.parse(String(contents.get('data.json'))) as Unzipped['json'],
    contents,
  };
}

async function submitted(type: SubjectType = 'kyc'): Promise<{ given: GivenCases; download: ExportDownload }> {
  const given = await givenCases();
  await askAll(given.countersign, given.principal.clientId);
  return { given, download: await exportedOf(given, await given.submitted({ type })) };
}

/** The values of the list of facts, by their label. */
function factsOf({ document }: Unzipped): Map<string, string> {
  const rows = [...document.querySelectorAll('.facts > div')];
  const text = (row: (typeof rows)[number], tag: string) => row.querySelector(tag)?.textContent?.trim() ?? '';
  // Of labels that occur twice, the first.
  return new Map(rows.map((row) => [text(row, 'dt'), text(row, 'dd')] as const).toReversed());
}

describe('the zip of an export', () => {
  it('the zip of an export has the page, the data and each file as it is stored', async () => {
    const { given, download } = await submitted();
    const zip = await unzipped(download);
    expect(zip.names).toEqual([
      'files/document_front.jpg',
      'files/document_back.jpg',
      'files/selfie.jpg',
      'files/proof_of_address.jpg',
      'index.html',
      'data.json',
    ]);
    for (const { id, name } of download.data.files) {
      const { content } = await given.review.readFile(download.data.verification.id, id);
      expect(zip.contents.get(`files/${name}`), name).toEqual(Buffer.from(content));
    }
  });

  it('the data has everything, with a path for each file', async () => {
    const { download } = await submitted();
    const { json } = await unzipped(download);
    const { files, ...data } = download.data;
    expect(json).toEqual({
      formatVersion: 1,
      ...(JSON.parse(JSON.stringify(data)) as object),
      files: files.map(({ name, ...file }) => ({ path: `files/${name}`, ...file })),
      unreadableFiles: [],
    });
    expect(Object.keys(json)).toEqual([
      'formatVersion',
      'exportedAt',
      'clientName',
      'verification',
      'submittedAt',
      'relationshipEndedAt',
      'erasureRequestedAt',
      'idempotencyKey',
      'notify',
      'requestsForAction',
      'earlierAnswers',
      'drafts',
      'readings',
      'retention',
      'files',
      'unreadableFiles',
    ]);
  });

  it.each([
    ['en', 'A program compares the answers'],
    ['de', 'Ein Programm vergleicht die Angaben'],
  ] as const)('the page says in general what is compared, in %s', async (language, words) => {
    const { download } = await submitted();
    const page = await unzipped(download, language);
    expect(page.words).toContain(words);
    expect(page.words).toContain(download.data.clientName);
  });

  it.each(['kyc', 'kyb'] as const)('the page of a %s has each answer of the data in words', async (type) => {
    const { download } = await submitted(type);
    const page = await unzipped(download);
    const texts = textsIn(download.data.verification.submittedData);
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(page.words, text).toContain(text);
  });

  it.each([
    ['en', 'Date of birth', '28 February 1990', 'Place of birth: Country', 'Poland (PL)', 'About you'],
    ['de', 'Geburtsdatum', '28. Februar 1990', 'Geburtsort: Land', 'Polen (PL)', 'Zu Ihrer Person'],
  ] as const)('the page in %s has labels, dates and countries in words', async (...expected) => {
    const [language, birth, day, country, poland, step] = expected;
    const { download } = await submitted();
    const page = await unzipped(download, language);
    const facts = factsOf(page);
    expect(facts.get(birth)).toBe(day);
    expect(facts.get(country)).toBe(poland);
    expect(page.words).toContain(step);
    expect(page.document.documentElement.getAttribute('lang')).toBe(language);
    // A field without a text has its key as a label.
    expect([...facts.keys()].filter((label) => /^[a-z]/.test(label))).toEqual([]);
  });

  it('shows replaced answers, the request for action and a draft', async () => {
    const given = await givenCases();
    const id = await given.submitted();
    const { version } = await given.review.preview(id);
    const items = [{ step: 'person', reasonCode: 'data_mismatch' as const, note: 'As in the passport' }];
    await given.review.askForAction({ verificationId: id, version }, { items, message: 'Dear Ada' });
    const asked = await unzipped(await exportedOf(given, id));
    expect(asked.words).toContain('What you were asked to answer again');
    expect(asked.words).not.toContain('answer again earlier');
    for (const text of ['As in the passport', 'Dear Ada', 'Data does not match the document']) {
      expect(asked.words).toContain(text);
    }

    await given.redo(id, { answers: { person: { firstName: 'Augusta' } } });
    const redone = await unzipped(await exportedOf(given, id, { drafts: { consent: { locale: 'fr' } } }));
    expect(redone.words).toMatch(/Earlier answers, from 15 January 2026 until 15 January 2026/);
    expect(redone.words).toContain('What you were asked to answer again earlier');
    expect(redone.words).toContain('Data does not match the document');
    expect(redone.json.requestsForAction).toEqual([
      { requestedAt: expect.any(String), items: [{ step: 'person', reasonCode: 'data_mismatch' }] },
    ]);
    expect(redone.words).toContain('Augusta');
    expect(redone.words).toContain('Ada');
    expect(redone.words).toContain('Draft, not submitted');
    expect(redone.words).toContain('French');
  });

  it.each([
    ['en', 'internal records of the staff'],
    ['de', 'interne Aufzeichnungen der Mitarbeitenden'],
  ] as const)('says in %s what is left out, and names no hold', async (language, words) => {
    const { download } = await submitted();
    const page = await unzipped(download, language);
    expect(page.words).toContain(words);
    expect(page.words).not.toMatch(/\bhold|suspicion|Sperre|Verdacht/i);
  });

  it('shows what the company sent, as text', async () => {
    const { download } = await submitted();
    const verification = {
      ...download.data.verification,
      subjectReference: '<script>alert(1)</script>',
      metadata: { note: '</pre><img src=x onerror=alert(1)>' },
      locale: 'de-AT',
      returnUrl: 'https://acme.example/"><b>',
    };
    const page = await unzipped({
      ...download,
      data: { ...download.data, verification, idempotencyKey: 'order 7', notify: { email: 'ada+1@example.org' } },
    });
    expect(page.html).not.toContain('<script');
    expect(page.html).not.toContain('<img');
    expect(page.html).not.toContain('<b>');
    const facts = factsOf(page);
    expect(facts.get('The company’s reference for you')).toBe('<script>alert(1)</script>');
    expect(facts.get('Key of the company’s request')).toBe('order 7');
    expect(facts.get('E-mail address for messages about it')).toBe('ada+1@example.org');
    expect(facts.get('Language')).toBe('Austrian German');
  });

  it.each([
    ['kept', 'approved_longest', 'The period for which the data is kept ends on 1 March 2036'],
    ['restricted', 'requested', 'The erasure of the data was requested'],
    ['kept', null, 'The data is kept while the verification is open'],
  ] as const)('says how long data is kept: %s, %s', async (state, rule, words) => {
    const { download } = await submitted();
    const retention = { state, rule, until: rule === null ? null : new Date('2036-03-01T00:00:00.000Z') };
    const page = await unzipped({ ...download, data: { ...download.data, retention } });
    expect(page.words).toContain(words);
  });

  it.each([
    ['en', 'The period for which the data is kept has ended.', 'unless the law obliges or allows the company'],
    ['de', 'Die Aufbewahrungsfrist ist abgelaufen.', 'muss oder darf sie nach dem Gesetz länger aufbewahren'],
  ] as const)('says in %s that the period has ended, and promises no erasure', async (language, words, unless) => {
    const { download } = await submitted();
    for (const until of [null, new Date('2036-03-01T00:00:00.000Z')]) {
      const retention = { state: 'kept', rule: 'rejected', until } as const;
      const page = await unzipped({ ...download, data: { ...download.data, retention } }, language);
      expect(page.words).toContain(unless);
      expect(page.words.includes(words)).toBe(until === null);
    }
  });

  it('links to the files beside it and to nothing else, and loads nothing', async () => {
    const { download } = await submitted();
    const page = await unzipped(download);
    const targets = [...page.document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(new Set(targets)).toEqual(new Set(page.names.filter((name) => name !== 'index.html')));
    expect([...page.document.querySelectorAll('script, img, link, iframe, [src], [srcset], form')]).toEqual([]);
    expect(page.html).not.toMatch(/url\(|@import|https?:/);
    const policy = page.document.querySelector('meta[http-equiv="Content-Security-Policy"]');
    expect(policy?.getAttribute('content')).toContain("default-src 'none'");
  });

  it('an answer whose file was deleted says so', async () => {
    const { download } = await submitted();
    const page = await unzipped({ ...download, data: { ...download.data, files: [] } });
    expect(page.names).toEqual(['index.html', 'data.json']);
    expect(page.words).toContain('This file is no longer stored.');
    expect(page.words).toContain('No files are stored.');
  });

  it.each([
    ['en', 'Files that are not in this copy', 'This file is not in the copy'],
    ['de', 'Dateien, die in dieser Kopie fehlen', 'Diese Datei fehlt in der Kopie'],
  ] as const)('names in %s a file that cannot be read, and has the rest', async (language, title, answer) => {
    const { download } = await submitted();
    const [, back] = download.data.files;
    const readFile: ExportDownload['readFile'] = async (id) => (id === back?.id ? null : download.readFile(id));

    const page = await unzipped({ ...download, readFile }, language);

    expect(page.names).toEqual([
      'files/document_front.jpg',
      'files/selfie.jpg',
      'files/proof_of_address.jpg',
      'index.html',
      'data.json',
    ]);
    const { path: _, ...missing } = { path: '', ...back };
    const { name, ...listed } = missing;
    expect(page.json).toMatchObject({ unreadableFiles: [listed] });
    expect(page.json.files.map(({ id }) => id)).not.toContain(back?.id);
    expect(page.document.getElementById('missing-files')?.textContent).toContain(title);
    expect(page.document.getElementById('missing-files')?.textContent).toContain(name);
    expect(page.words).toContain(answer);
    const targets = [...page.document.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(targets).not.toContain(`files/${name}`);
  });

  it('names no missing file if it has all', async () => {
    const { download } = await submitted();
    expect((await unzipped(download)).document.getElementById('missing-files')).toBeNull();
  });

  it.each([
    ['the page', 0, [false, false]],
    ['the data', 1, [true, false]],
    ['the directory at its end', 2, [true, true]],
  ] as const)('breaks off before %s if the export ended', async (_, checksBefore, expected) => {
    const { download } = await submitted();
    let checks = 0;
    const requireStill = async () => {
      checks += 1;
      if (checks > checksBefore) throw new Error('ended');
    };
    const zip = await exportZip({ ...download, requireStill }, aPage('en'));
    let sent = '';
    const read = (async () => {
      for await (const part of zip.parts) sent += Buffer.from(part).toString('latin1');
    })();
    await expect(read).rejects.toThrow('ended');
    expect([sent.includes('<!doctype'), sent.includes('"formatVersion"')]).toEqual(expected);
    expect(sent).not.toContain('PK\x05\x06');
  });

  it('breaks off when reading a file fails as a whole', async () => {
    const { download } = await submitted();
    const readFile = () => Promise.reject(new Error('disk lost'));
    const zip = await exportZip({ ...download, readFile }, aPage('en'));
    await expect(buffer(zip.parts)).rejects.toThrow('disk lost');
  });
});

/** Every text in the answers that is shown as it was typed: no date, code or id. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    const isCode =
      /^[A-Z]{2}$|^\d{4}-\d\d-\d\d|^[a-z]+(_[a-z]+)*$/.test(value) || /FileId$|^fileId$|^locale$/.test(key);
    return isCode ? [] : [value];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, name));
}

describe('what was read from the document', () => {
  const reader = {
    read: () =>
      Promise.resolve({
        outcome: 'read',
        readerVersion: '1',
        fields: { documentNumber: { value: 'X<1', sure: true }, dateOfBirth: { value: '1990-02-28', sure: true } },
        type: 'passport',
        issuer: 'AT',
        digitsFit: false,
      } as const),
  };

  async function withReadings(type: SubjectType, language: Language): Promise<Unzipped> {
    const given = await givenCases('Acme Bank', {}, { reader });
    const id = await given.submitted({ type });
    await expect.poll(async () => (await given.review.open(id)).readings.length).toBe(2);
    return unzipped(await exportedOf(given, id), language);
  }

  it.each([
    [
      'kyc',
      'en',
      'Document, front Read on 15 January 2026 Kind of document Passport Number X<1 Date of birth 28 February 1990 Issuing country Austria (AT) Check digits correct No',
    ],
    [
      'kyb',
      'de',
      'Dokument: Nummer X<1 Geburtsdatum 28. Februar 1990 Dokument: Ausstellendes Land Österreich (AT) Prüfziffern stimmen Nein',
    ],
  ] as const)('stands in the page of a %s in %s, formatted like the answers', async (type, language, words) => {
    const { document } = await withReadings(type, language);
    const section = [...document.querySelectorAll('section')].find(
      (each) => each.getAttribute('aria-labelledby') === 'readings',
    );
    const text = [...(section?.querySelectorAll('h3, p, dt, dd') ?? [])].map(({ textContent }) =>
      textContent.trim(),
    );
    expect(text.join(' ')).toContain(words);
  });

  it('the part is left out without a reading', async () => {
    const { download } = await submitted();
    expect((await unzipped(download)).html).not.toContain('id="readings"');
  });
});
