// Draws dozens of documents with pdfium, some as hard as its limits allow.
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ORDINARY_PDFS } from '../../test-support/ordinary-pdfs.ts';
import { pdf } from '../../test-support/pdf.ts';
import { lzwBomb, toAscii85, toHex, toRunLengths } from '../../test-support/pdf-encodings.ts';
import {
  BLACK_PAGE,
  CATALOG,
  type ObjectStream,
  PAGES,
  page,
  pdfWithBlackPage,
  pdfWithObjectStream,
  pdfWithPicture,
  pdfWithTable,
} from '../../test-support/pdf-file.ts';
import { drawPdf } from './draw-pdf.ts';

const LIMITS = { maxPages: 10, maxBytes: 1_000_000 };
const MEBIBYTE = 1024 * 1024;

const warningsOf = async (content: Buffer) => (await drawPdf(content, LIMITS)).warnings;

describe('an ordinary PDF is drawn without a warning', () => {
  test.each(Object.entries(ORDINARY_PDFS))('%s', async (_, make) => {
    const { pages, warnings } = await drawPdf(await make(), LIMITS);
    expect(warnings).toEqual([]);
    expect(pages).toHaveLength(1);
    const { channels } = await sharp(pages[0]).stats();
    expect(Math.max(...channels.map(({ mean }) => mean)), 'brightness of the black page').toBeLessThan(20);
  });
});

describe('active content', () => {
  test.each<[string, Parameters<typeof pdf>[0], readonly string[]]>([
    ['a script under an escaped name', { catalog: '/OpenAction << /S /J#61vaScript /J#53 (x) >>' }, ['script']],
    ['an attachment', { catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' }, ['attachment']],
    ['a form', { catalog: '/AcroForm << /Fields [<< /FT /Tx /T (a) >>] >>' }, ['form']],
    ['an action that starts a program', { catalog: '/OpenAction << /S /Launch /F (a.exe) >>' }, ['launch']],
    ['a signature', { catalog: '/AcroForm << /Fields [<< /FT /Sig /T (a) >>] >>' }, []],
    [
      'a script among compressed objects',
      { streams: [deflateSync('1 0 << /S /JavaScript /JS (x) >>')], streamType: '/ObjStm' },
      ['script'],
    ],
    ['the letters of a script among pixels', { streams: [deflateSync('/JS /JavaScript', { level: 0 })] }, []],
  ])('%s', async (_, content, warnings) => {
    const drawn = await drawPdf(pdf(content), LIMITS);
    expect(drawn.warnings).toEqual(warnings);
    expect(drawn.pages).toHaveLength(1);
  });
});

describe('a PDF is refused', () => {
  const zeros = (bytes: number) => deflateSync(new Uint8Array(bytes), { level: 9 });
  const broken = Buffer.concat([Buffer.of(0x78, 0x9c), Buffer.alloc(50, 0xff)]);

  test.each<[string, string, () => Buffer]>([
    ['not drawable', 'damaged', () => Buffer.from('%PDF-1.4\nnothing more\n%%EOF\n')],
    ['of a stream that inflates to 60 MB', 'too_complex', () => pdf({ streams: [zeros(60_000_000)] })],
    [
      'of streams that inflate to 60 MB together',
      'too_complex',
      () => pdf({ streams: Array.from({ length: 6 }, () => zeros(10_000_000)) }),
    ],
    ['of a broken stream', 'damaged', () => pdf({ streams: [broken] })],
    [
      'of 100,000 streams',
      'too_complex',
      () => pdf({ streams: Array.from({ length: 100_000 }, () => Buffer.from('a')) }),
    ],
  ])('%s: %s', async (_, refusal, content) => {
    await expect(drawPdf(content(), LIMITS)).rejects.toMatchObject({ refusal });
  });
});

describe('active content is found in an object stream', () => {
  const SCRIPT = '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>';
  const REFERENCED_FORM = '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [<< /FT 6 0 R /T (a) >>] >> >>';
  const ATTACHMENT = '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >> >>';
  const ANNOTATION =
    '<< /Type /Catalog /Pages 2 0 R /X << /FS << /Type /Filespec /F (a) /EF << /F 4 0 R >> >> >> >>';
  const file = (catalog: string, stream: ObjectStream) => {
    const onePage = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 5 0 R >>';
    return pdfWithObjectStream([catalog, PAGES, onePage, 'null'], [{ entries: '', data: BLACK_PAGE }], stream);
  };

  test.each<[string, string, ObjectStream, readonly string[]]>([
    ['a script, compressed', SCRIPT, {}, ['script']],
    ['a script behind a blank in the line of `stream`', SCRIPT, { afterKeyword: ' \n' }, ['script']],
    ['a script behind a comment in the line of `stream`', SCRIPT, { afterKeyword: ' %x\r\n' }, ['script']],
    ['a script in hexadecimal digits', SCRIPT, { filter: '/ASCIIHexDecode', encode: toHex }, ['script']],
    ['a script in letters', SCRIPT, { filter: '/A85', encode: toAscii85 }, ['script']],
    [
      'a script in compressed hexadecimal digits',
      SCRIPT,
      { filter: '[/ASCIIHexDecode /FlateDecode]', encode: (content) => toHex(deflateSync(content)) },
      ['script'],
    ],
    [
      'an attachment in hexadecimal digits',
      ATTACHMENT,
      { filter: '/ASCIIHexDecode', encode: toHex },
      ['attachment'],
    ],
    ['an attachment of an annotation', ANNOTATION, {}, ['attachment']],
    ['a form whose kind of field is in another object', REFERENCED_FORM, {}, ['form']],
  ])('%s', async (_, catalog, stream, warnings) => {
    expect(await warningsOf(file(catalog, stream))).toEqual(warnings);
  });

  test('a script in a catalog to which only the table of the file leads', async () => {
    const inStream = `1 0 obj\n${SCRIPT}\nendobj\n`;
    const content = pdfWithBlackPage({ entries: '', data: inStream }).toString('latin1');
    const entry = (number: string) => `${number.padStart(10, '0')} 00000 n`;
    const [seen, hidden] = [content.indexOf('1 0 obj'), content.indexOf(inStream)].map(String).map(entry);
    expect(seen).not.toBe(hidden);
    const led = content.replace(seen ?? '', hidden ?? '');
    expect(await warningsOf(Buffer.from(led, 'latin1'))).toEqual(['script']);
  });
});

describe('a PDF that inflates to more than 50 MB is refused', () => {
  const SIZE = 60 * MEBIBYTE;
  const zeros = deflateSync(new Uint8Array(SIZE), { level: 9 });
  const runs = toRunLengths(0x80, SIZE);
  const PICTURE = '/Subtype /Image /Width 7680 /Height 8192 /BitsPerComponent 8 /ColorSpace /DeviceGray';
  const picture = (filter: string, data: Uint8Array) =>
    pdfWithPicture({ entries: `${PICTURE} /Filter ${filter}`, data });
  const drawing = (filter: string, data: Uint8Array, afterKeyword = '\n') =>
    pdfWithTable([CATALOG, PAGES, page(), { entries: `/Filter ${filter}`, data, afterKeyword }]);
  const unused = (filter: string, data: Uint8Array, afterKeyword = '\n') =>
    pdfWithBlackPage({ entries: `/Filter ${filter}`, data, afterKeyword });

  test.each<[string, Buffer]>([
    ['Flate', drawing('/FlateDecode', zeros)],
    ['Flate by its short name', drawing('/Fl', zeros)],
    ['Flate under an escaped name', drawing('/Fl#61teDecode', zeros)],
    ['hexadecimal digits and Flate', drawing('[/ASCIIHexDecode /FlateDecode]', toHex(zeros))],
    ['letters and Flate', drawing('[/ASCII85Decode /FlateDecode]', toAscii85(zeros))],
    ['letters that stand for zeros', drawing('/ASCII85Decode', Buffer.from(`${'z'.repeat(SIZE / 4)}~>`))],
    ['Flate twice', drawing('[/FlateDecode /FlateDecode]', deflateSync(zeros))],
    ['run lengths', picture('/RunLengthDecode', runs)],
    ['run lengths and Flate', picture('[/FlateDecode /RunLengthDecode]', deflateSync(runs))],
    ['LZW', picture('/LZWDecode', lzwBomb(9))],
    ['LZW and letters', picture('[/ASCII85Decode /LZWDecode]', toAscii85(lzwBomb(9)))],
    ['a blank behind `stream`', drawing('/FlateDecode', zeros, ' \n')],
    ['an unused stream', unused('/FlateDecode', zeros)],
    ['an unused stream with a blank behind `stream`', unused('/FlateDecode', zeros, ' \n')],
    ['an unused stream with a word behind `stream`', unused('/FlateDecode', zeros, ' of data\n')],
    [
      'an object that is no stream to its dictionary',
      pdfWithBlackPage('(', { entries: '/Filter /FlateDecode', data: Buffer.concat([zeros, Buffer.from(')')]) }),
    ],
    [
      'a picture inside the drawing',
      pdfWithTable([
        CATALOG,
        PAGES,
        page(),
        {
          entries: '',
          data: Buffer.concat([
            Buffer.from('200 0 0 200 0 0 cm BI /W 7680 /H 8192 /BPC 8 /CS /G /F /RL ID '),
            runs,
            Buffer.from(' EI'),
          ]),
        },
      ]),
    ],
  ])('%s', async (_, content) => {
    await expect(warningsOf(content)).rejects.toMatchObject({ refusal: 'too_complex' });
  });
});

describe('a PDF that cannot be measured is refused', () => {
  const PICTURE = '/Subtype /Image /BitsPerComponent 8 /ColorSpace /DeviceGray';
  const drawing = (filter: string) =>
    pdfWithTable([CATALOG, PAGES, page(), { entries: filter, data: 'x' }, '/FlateDecode']);

  test.each<[string, string, Buffer]>([
    ['an unknown filter', 'too_complex', drawing('/Filter /BrotliDecode')],
    ['a filter in another object', 'too_complex', drawing('/Filter 5 0 R')],
    ['a filter behind LZW', 'too_complex', drawing('/Filter [/LZWDecode /FlateDecode]')],
    [
      'a filter behind a predictor',
      'too_complex',
      drawing('/Filter [/Fl /RL] /DecodeParms [<< /Predictor 12 >> null]'),
    ],
    ['a filter behind unknown parameters', 'too_complex', drawing('/Filter [/Fl /RL] /DecodeParms 5 0 R')],
    ['a filter behind a picture', 'too_complex', drawing('/Filter [/DCTDecode /FlateDecode]')],
    ['300 arrays in each other', 'too_complex', drawing(`/X ${'['.repeat(300)}${']'.repeat(300)}`)],
    ['a string without an end', 'damaged', drawing('/X (')],
    ['compressed data that is broken', 'damaged', drawing('/Filter /FlateDecode')],
    [
      'a fax of 500 megapixels',
      'too_complex',
      pdfWithPicture({ entries: `${PICTURE} /Width 20000 /Height 25000 /Filter /CCITTFaxDecode`, data: 'x' }),
    ],
    [
      'a fax of 500 megapixels by its parameters',
      'too_complex',
      pdfWithPicture({
        entries: `${PICTURE} /Width 8 /Height 8 /Filter /CCITTFaxDecode /DecodeParms << /Columns 20000 /Rows 25000 >>`,
        data: 'x',
      }),
    ],
  ])('%s: %s', async (_, refusal, content) => {
    await expect(warningsOf(content)).rejects.toMatchObject({ refusal });
  });

  test('a JPEG of 42 megapixels in it, whatever size the PDF gives', async () => {
    const data = await sharp({ create: { width: 7000, height: 6000, channels: 3, background: 'black' } })
      .jpeg()
      .toBuffer();
    const content = pdfWithPicture({ entries: `${PICTURE} /Width 8 /Height 8 /Filter /DCTDecode`, data });
    await expect(warningsOf(content)).rejects.toMatchObject({ refusal: 'too_complex' });
  });
});

test('a million words `stream` in one line are one start of data', async () => {
  const words = 'stream'.repeat(1_000_000);
  const content = pdfWithBlackPage({ entries: '', data: words });
  expect(await warningsOf(content)).toEqual([]);
});

describe('an encrypted PDF is refused', () => {
  const objects = [CATALOG, PAGES, page(), { entries: '', data: BLACK_PAGE }];
  const HANDLER = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> >>`;

  test.each<[string, string]>([
    ['with a password', `/Encrypt ${HANDLER} /ID [<00><00>]`],
    ['whose handler is missing', '/Encrypt 90 0 R'],
    ['under an escaped name', '/#45ncrypt 90 0 R'],
  ])('%s', async (_, trailer) => {
    await expect(warningsOf(pdfWithTable(objects, trailer))).rejects.toMatchObject({ refusal: 'encrypted' });
  });
});
