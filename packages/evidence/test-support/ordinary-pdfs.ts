import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { toAscii85, toHex, toLzw, toRunLengths } from './pdf-encodings.ts';
import {
  BLACK_PAGE,
  CATALOG,
  PAGES,
  page,
  pdfWithBlackPage,
  pdfWithObjectStream,
  pdfWithPicture,
  pdfWithTable,
} from './pdf-file.ts';

const GREY_PICTURE =
  '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceGray';
const FAX_PICTURE =
  '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray';
const BLACK = new Uint8Array(64);
/** Eight white rows of ITU-T T.6, one bit each, and the end of the data. */
const WHITE_ROWS = [0xff, 0x00, 0x10, 0x01];
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** Files in the shapes that scanners and office programs write. Each has one black page and nothing to warn of. */
export const ORDINARY_PDFS: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'Word: compressed text, tagged, information in strings': () =>
    pdfWithTable(
      [
        '<< /Type /Catalog /Pages 2 0 R /Lang (de-DE) /StructTreeRoot 6 0 R /MarkInfo << /Marked true >> /Metadata 7 0 R >>',
        PAGES,
        page('/Font << /F1 5 0 R >>'),
        { entries: '/Filter /FlateDecode', data: deflateSync(`${BLACK_PAGE} BT /F1 12 Tf (ID BI \\(EI) Tj ET`) },
        FONT,
        '<< /Type /StructTreeRoot /K [<< /Type /StructElem /S /Document /P 6 0 R >>] >>',
        {
          entries: '/Type /Metadata /Subtype /XML',
          data: '<meta>a stream of /JavaScript and /Encrypt</meta>',
        },
        '<< /Title (How to /Encrypt a \\(disk\\) of AC/JS Ltd) /Author <FEFF002F004A0053> /Creator (/Launch) >>',
      ],
      '/Info 8 0 R /ID [<00><00>]',
    ),
  'LaTeX: objects in a stream, table with a predictor': () =>
    pdfWithObjectStream(
      [CATALOG, PAGES, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 5 0 R >>', FONT],
      [{ entries: '/Filter /FlateDecode', data: deflateSync(BLACK_PAGE) }],
    ),
  'Chrome: a picture with a mask': () =>
    pdfWithTable([
      CATALOG,
      PAGES,
      page('/XObject << /I 5 0 R >>'),
      { entries: '/Filter /FlateDecode', data: deflateSync(`${BLACK_PAGE} 10 0 0 10 0 0 cm /I Do`) },
      { entries: `${GREY_PICTURE} /SMask 6 0 R /Filter /FlateDecode`, data: deflateSync(BLACK) },
      { entries: `${GREY_PICTURE} /Filter /FlateDecode`, data: deflateSync(BLACK) },
    ]),
  'LibreOffice: the length in another object': () =>
    pdfWithTable([
      CATALOG,
      PAGES,
      page(),
      '<< /Filter /FlateDecode /Length 5 0 R >>\nstream\n'.concat(
        deflateSync(BLACK_PAGE).toString('latin1'),
        '\nendstream',
      ),
      String(deflateSync(BLACK_PAGE).byteLength),
    ]),
  'a scanner: JPEG': async () =>
    pdfWithPicture({ entries: `${RGB_PICTURE} /Filter /DCTDecode`, data: await jpeg() }),
  'a scanner: compressed JPEG': async () =>
    pdfWithPicture({
      entries: `${RGB_PICTURE} /Filter [/FlateDecode /DCTDecode]`,
      data: deflateSync(await jpeg()),
    }),
  'a scanner: compressed JPEG, parameters given as null': async () =>
    pdfWithPicture({
      entries: `${RGB_PICTURE} /Filter [/FlateDecode /DCTDecode] /DecodeParms [null null]`,
      data: deflateSync(await jpeg()),
    }),
  'a scanner: fax': () =>
    pdfWithPicture({
      entries: `${FAX_PICTURE} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 8 /BlackIs1 true >>`,
      data: new Uint8Array(WHITE_ROWS),
    }),
  'a scanner: JBIG2': () =>
    pdfWithPicture({ entries: `${FAX_PICTURE} /Decode [1 0] /Filter /JBIG2Decode`, data: jbig2() }),
  'an old program: LZW': () =>
    pdfWithPicture({ entries: `${GREY_PICTURE} /Filter /LZWDecode`, data: toLzw(BLACK) }),
  'an old program: LZW in letters': () =>
    pdfWithPicture({
      entries: `${GREY_PICTURE} /Filter [/ASCII85Decode /LZWDecode]`,
      data: toAscii85(toLzw(BLACK)),
    }),
  'an old program: compressed data in letters': () =>
    pdfWithPicture({ entries: `${GREY_PICTURE} /Filter [/A85 /Fl]`, data: toAscii85(deflateSync(BLACK)) }),
  'an old program: compressed data in hexadecimal digits': () =>
    pdfWithPicture({
      entries: `${GREY_PICTURE} /Filter [/ASCIIHexDecode /FlateDecode]`,
      data: toHex(deflateSync(BLACK)),
    }),
  'an old program: run lengths': () =>
    pdfWithPicture({ entries: `${GREY_PICTURE} /Filter /RunLengthDecode`, data: toRunLengths(0, 128) }),
  'a picture inside the drawing': () =>
    pdfWithTable([
      CATALOG,
      PAGES,
      page(),
      {
        entries: '',
        data: Buffer.concat([
          Buffer.from(`${BLACK_PAGE} q 8 0 0 8 0 0 cm BI /W 8 /H 8 /BPC 8 /CS /G /F [/AHx /Fl] ID `),
          toHex(deflateSync(BLACK)),
          Buffer.from(' EI Q'),
        ]),
      },
    ]),
  'an empty compressed stream': () => pdfWithBlackPage({ entries: '/Filter /FlateDecode', data: '' }),
  'a signature': () =>
    pdfWithTable([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [5 0 R] >> >>',
      PAGES,
      page(),
      { entries: '', data: BLACK_PAGE },
      '<< /Subtype /Widget /FT /Sig /T (Signature) /Rect [0 0 0 0] /V << /Type /Sig /Contents <00> >> >>',
    ]),
};

const RGB_PICTURE = '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceRGB';

function jpeg(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: 'black' } })
    .jpeg()
    .toBuffer();
}

/** A page and a region in the coding of fax machines (ITU-T T.88, 7.4.8 and 7.4.6). */
function jbig2(): Uint8Array {
  const size = [0, 0, 0, 8, 0, 0, 0, 8];
  const zeros = Array<number>(8).fill(0);
  const information = [...size, ...zeros, 0, 0, 0];
  const region = [...size, ...zeros, 0, 1, ...WHITE_ROWS];
  return new Uint8Array([...segment(0, 48, information), ...segment(1, 38, region)]);
}

function segment(number: number, type: number, data: readonly number[]): number[] {
  return [0, 0, 0, number, type, 0, 1, 0, 0, 0, data.length, ...data];
}
