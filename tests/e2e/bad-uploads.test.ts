// Sends dozens of invalid files to a server, each of which is decoded.
import { setTimeout as pause } from 'node:timers/promises';
import { UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import { atOnce, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { blackPng } from '@countersign/test-support/attack-files/png-files';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { keptUploads, openUploads } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { askForEverything } from '@countersign/test-support/installation/operator';
import { storedFilesOf } from '@countersign/test-support/installation/stored-files';
import { card, denseJpeg, noisyJpeg, pdf } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectForms } from '@countersign/test-support/pages/subject-forms';
import { childrenMegabytesOf, residentMegabytesOf } from '@countersign/test-support/processes/resident-memory';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, describe, expect, it } from 'vitest';

/** More uploads than the server decodes concurrently, so that some wait. */
const AT_ONCE = extent({ full: 20, short: 4 });
/** How many of these uploads have as many pixels as 25 MB can have. The others are decoded in a third of the time. */
const LARGEST = extent({ full: 20, short: 2 });

let server: ServerProcess;
let client: GivenApi;
let picture: Blob;

beforeAll(async () => {
  server = await startServer();
  client = await givenApi(server, { plan: 'enterprise' });
  await askForEverything(server, client.clientId);
  picture = new Blob([await card('good')]);
});

/** Skips the optional upload, because decoding pictures is slow. */
const needed = (page: string): Blob | null => (page === 'proof-of-address' ? null : picture);

let made = 0;
/** Creates a subject at an upload page, by default the front of the document. */
async function atTheDocument(page = 'document-front'): Promise<SubjectForms & { id: string }> {
  made += 1;
  const answer = await client.api.post({ subjectType: 'kyc', subjectReference: `subject-${made}` });
  const forms = await openSubjectForms(String(dataOf(answer).verificationUrl), 'kyc');
  await forms.walk({ file: needed }, page);
  return { ...forms, id: idOf(answer) };
}

function form(...files: readonly (Blob | Buffer)[]): FormData {
  const body = new FormData();
  for (const file of files)
    body.append('file', file instanceof Blob ? file : new Blob([new Uint8Array(file)]), 'picture.jpg');
  return body;
}

const kindsOf = async (id: string) => (await storedFilesOf(server, id)).map(({ kind }) => kind);

async function cutOff(): Promise<Buffer> {
  const whole = await card('cut');
  return whole.subarray(0, whole.length / 2);
}

const html = '<!doctype html><script>alert(document.domain)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe('an invalid file', () => {
  const bad: readonly [string, () => Promise<Buffer> | Buffer, number, string][] = [
    ['SVG named .jpg', () => Buffer.from(svg), 422, 'not a JPEG, PNG, WebP or HEIC picture'],
    ['HTML named .jpg', () => Buffer.from(html), 422, 'not a JPEG, PNG, WebP or HEIC picture'],
    ['a PDF where a picture is needed', () => pdf('x'), 422, 'not a JPEG, PNG, WebP or HEIC picture'],
    ['a PNG of 200 megapixels', () => Buffer.from(blackPng(20_000, 10_000)), 422, 'more than 40 megapixels'],
    ['a truncated JPEG', cutOff, 422, 'damaged'],
    ['an empty file', () => Buffer.alloc(0), 422, 'is empty'],
    ['a file of 26 MB', () => Buffer.alloc(26 * 1024 * 1024, 0xff), 413, 'larger than 25 MB'],
  ];

  let walked: Promise<SubjectForms & { id: string }> | undefined;
  /** One subject sends all invalid files, because walking to the page takes longer than a refusal. */
  const theSubject = () => {
    walked ??= atTheDocument();
    return walked;
  };

  it.each(bad)('%s is refused on the same page, and nothing is stored', async (_name, content, status, words) => {
    const subject = await theSubject();
    const before = keptUploads(server);
    const kinds = await kindsOf(subject.id);

    const refused = await subject.post('document-front', form(await content()));

    expect(refused.status).toBe(status);
    const page = await refused.text();
    expect(page).toContain(words);
    expect(page).toContain('There is a problem');
    expect(page).toContain('type="file"');
    expect(keptUploads(server)).toEqual(before);
    expect(await kindsOf(subject.id)).toEqual(kinds);
  });

  it('leaves earlier answers as they are, and the subject continues to the end', async () => {
    const subject = await theSubject();
    expect((await subject.post('document-front', form(Buffer.from(svg)))).status).toBe(422);

    expect(await (await subject.get('document')).text()).toMatch(/value="id_card"[^>]*checked/);
    await subject.walk({ file: needed });
    expect(dataOf(await client.api.get(`/verifications/${subject.id}`)).status).toBe('submitted');
  });

  it('data appended to a picture is removed', async () => {
    const subject = await atTheDocument();
    const polyglot = Buffer.concat([await card('polyglot'), Buffer.from(`PK\u0003\u0004${html}CANARY-BEHIND`)]);
    expect((await subject.post('document-front', form(polyglot))).status).toBe(303);

    const fileId = /name="fileId" value="([^"]+)"/.exec(await (await subject.get('document-front')).text())?.[1];
    const shown = await subject.get(`files/${fileId}`);

    expect(shown.headers.get('content-type')).toBe('image/jpeg');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    const content = Buffer.from(await shown.arrayBuffer());
    expect(content.length).toBeGreaterThan(1_000);
    expect(content.includes('CANARY')).toBe(false);
    expect(content.includes('<script')).toBe(false);
  });

  it('a PDF that starts with other content is refused, and the PDF alone accepted', async () => {
    const subject = await atTheDocument('proof-of-address');
    const before = await kindsOf(subject.id);
    const refused = await subject.post('proof-of-address', form(Buffer.concat([Buffer.from(html), pdf('x')])));
    expect(refused.status).toBe(422);
    expect(await kindsOf(subject.id)).toEqual(before);

    // Needs pdfium, which is no part of the server's bundle.
    expect((await subject.post('proof-of-address', form(pdf('x')))).status).toBe(303);
    expect(await kindsOf(subject.id)).toEqual([...before, 'proof_of_address']);
  });
});

describe('a client that disconnects', () => {
  it('during an upload leaves no files, and can upload again', async () => {
    const subject = await atTheDocument();
    const before = keptUploads(server);
    const kinds = await kindsOf(subject.id);
    const body = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
      await card('half'),
    ]);
    const { cookie, address } = subject.session();
    const aborting = new AbortController();
    const sent = fetch(`${address}/document-front`, {
      method: 'POST',
      signal: aborting.signal,
      headers: {
        Cookie: cookie,
        Origin: new URL(address).origin,
        'Content-Type': 'multipart/form-data; boundary=x',
      },
      body: new ReadableStream({
        async pull(controller) {
          controller.enqueue(new Uint8Array(body));
          await pause(50);
        },
      }),
      duplex: 'half',
    });
    await until(() => openUploads(server) === 1);
    aborting.abort();
    await expect(sent).rejects.toThrow();

    await until(() => openUploads(server) === 0);
    expect(keptUploads(server)).toEqual(before);
    expect(await kindsOf(subject.id)).toEqual(kinds);
    expect((await subject.post('document-front', form(picture))).status).toBe(303);
  });
});

describe(`${AT_ONCE} concurrent uploads of 25 MB`, () => {
  it('are all accepted, the server stays below 300 MB and its decoders below 450 MB', async () => {
    const subjects = await atOnce(AT_ONCE, () => atTheDocument());
    const [largest, dense] = [await noisyJpeg(24.5), await denseJpeg(24.5)];
    const contents = subjects.map((_, n) => (n < LARGEST ? largest : dense));
    const least = Math.min(...contents.map(({ length }) => length));
    expect(least).toBeGreaterThan(0.9 * UPLOAD_MAX_BYTES);
    const highest = { server: 0, decoders: 0 };
    const watching = setInterval(() => {
      highest.server = Math.max(highest.server, residentMegabytesOf(server.pid));
      highest.decoders = Math.max(highest.decoders, childrenMegabytesOf(server.pid));
    }, 50);

    const sent = Promise.all(
      subjects.map((subject, n) => subject.post('document-front', form(contents[n] ?? dense))),
    );
    const answers = await sent.finally(() => clearInterval(watching));

    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(303));
    console.info(
      `${AT_ONCE} uploads of ${(least / 1e6).toFixed(1)} MB at the same time, MB at most: ${JSON.stringify(highest)}`,
    );
    // The target is 250 MB, which `npm run bench -- uploads` checks. Parts of bodies wait for the garbage collector: 237 to 299 MB.
    expect(highest.server).toBeLessThan(300);
    expect(highest.decoders).toBeLessThan(450);
    expect(keptUploads(server).waiting).toBe(0);
  });
});
