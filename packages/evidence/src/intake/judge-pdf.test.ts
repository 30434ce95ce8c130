import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ORDINARY_PDFS } from '../../test-support/ordinary-pdfs.ts';
import { pdf } from '../../test-support/pdf.ts';
import { zip, zipEnd } from '../../test-support/zip.ts';
import { judgePdf } from './judge-pdf.ts';
import { typeOfUpload } from './upload-type.ts';

const ANYTHING = { pdf: true };
const PDF_END = '\n%%EOF\n';

/** The last bytes of a PDF whose last stream is `content`. */
const inLastStream = (content: Uint8Array) => pdf({ streams: [content] });
const bytesBehind = (content: Uint8Array) => {
  const whole = inLastStream(content);
  return whole.byteLength - whole.indexOf(content) - content.byteLength;
};

describe('a PDF that is also a ZIP is refused', () => {
  const behind = bytesBehind(zip());
  test.each<[string, () => Uint8Array]>([
    ['before the PDF', () => Buffer.concat([zip(), pdf()])],
    [
      'in a comment at the start',
      () => pdf({ comment: Buffer.concat([Buffer.from('%'), zip(), Buffer.from('\n')]) }),
    ],
    ['in a stream', () => inLastStream(zip())],
    [
      'in a stream, its offsets from the start of the PDF',
      () => {
        const at = inLastStream(zip()).indexOf(zip());
        return inLastStream(zip({ offset: at, gap: 3 }));
      },
    ],
    ['in a stream, with the rest of the PDF as its comment', () => inLastStream(zip({ commentBytes: behind }))],
    ['in a stream, with a comment that is cut off', () => inLastStream(zip({ commentBytes: 60_000 }))],
    ['in a stream of the first half of a large PDF', () => pdf({ streams: [zip(), randomBytes(200_000)] })],
    ['in a stream, as ZIP64', () => inLastStream(zip({ zip64: true }))],
    ['as data that deflate stores', () => inLastStream(deflateSync(zip(), { level: 0 }))],
    ['behind its end', () => Buffer.concat([pdf(), zip()])],
    [
      'behind its end, with an end of a PDF as its comment',
      () => Buffer.concat([pdf(), zip({ commentBytes: PDF_END.length }), Buffer.from(PDF_END)]),
    ],
    ['behind its end, with another end of a PDF', () => Buffer.concat([pdf(), zip(), Buffer.from(PDF_END)])],
    ['without a file', () => inLastStream(zipEnd({ entries: 0, size: 0, offset: 0, commentBytes: 0 }))],
  ])('%s', async (_, content) => {
    await expect(typeOfUpload(content(), ANYTHING)).rejects.toMatchObject({ code: 'FILE_TYPE_REFUSED' });
  });
});

describe('a PDF is accepted', () => {
  test.each(Object.entries(ORDINARY_PDFS))('%s', async (_, content) => {
    expect(await typeOfUpload(await content(), ANYTHING)).toBe('application/pdf');
  });

  test.each<[string, Uint8Array]>([
    ['a compressed ZIP', deflateSync(zip())],
    [
      'the signatures of a ZIP without its structure',
      Buffer.from('PK\x03\x04 PK\x01\x02 PK\x05\x06 PK\x06\x07'.padEnd(80, 'PK')),
    ],
    ['an end record that leads nowhere', zipEnd({ entries: 1, size: 1, offset: 1, commentBytes: 0 })],
    [
      'an end record that leads outside of the file',
      zipEnd({ entries: 1, size: 0xffffffff, offset: 0xfffffff0, commentBytes: 0 }),
    ],
    ['the first file of a ZIP without the directory', zip().subarray(0, 50)],
  ])('a PDF is accepted with %s in a stream', (_, content) => {
    expect(() => judgePdf(inLastStream(content), ANYTHING)).not.toThrow();
  });

  test('a PDF is accepted that ends with the signature of an end record', () => {
    expect(() => judgePdf(Buffer.from('%PDF-1.4\nPK\x05\x06\n%%EOF'), ANYTHING)).not.toThrow();
  });
});
