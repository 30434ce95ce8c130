import { deflateSync } from 'node:zlib';

/** An object of a PDF: its text, or a stream. */
export type PdfObject = string | PdfStream;

export interface PdfStream {
  /** Entries of the dictionary, without its length. */
  readonly entries: string;
  readonly data: Uint8Array | string;
  /** What stands between `stream` and the data. Default: a line feed. */
  readonly afterKeyword?: string;
}

/** Makes a PDF with a table of its objects. They have the numbers from 1 on; the first is the catalog. */
export function pdfWithTable(objects: readonly PdfObject[], trailer = ''): Buffer {
  const file = new PdfFile();
  const positions = objects.map((object, index) => file.add(index + 1, object));
  const table = file.length;
  file.append(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const position of positions) file.append(`${String(position).padStart(10, '0')} 00000 n \n`);
  file.append(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`);
  return file.content();
}

export interface ObjectStream {
  readonly filter?: string;
  readonly encode?: (content: Buffer) => Uint8Array;
  readonly afterKeyword?: string;
}

/**
 * Makes a PDF 1.5: texts stand in a stream of objects, and a stream is the table. All have the numbers from 1 on, texts
 * first; the first is the catalog.
 */
export function pdfWithObjectStream(
  texts: readonly string[],
  streams: readonly PdfStream[],
  { filter = '/FlateDecode', encode = (content) => deflateSync(content), afterKeyword = '\n' }: ObjectStream = {},
): Buffer {
  const file = new PdfFile();
  const positions = streams.map((stream, index) => file.add(texts.length + 1 + index, stream));
  const heads = texts.map(
    (_, index) => `${index + 1} ${texts.slice(0, index).join(' ').length + (index > 0 ? 1 : 0)}`,
  );
  const head = `${heads.join(' ')} `;
  const group = texts.length + streams.length + 1;
  const groupAt = file.add(group, {
    entries: `/Type /ObjStm /N ${texts.length} /First ${head.length} /Filter ${filter}`,
    data: encode(Buffer.from(head + texts.join(' '))),
    afterKeyword,
  });
  const tableAt = file.length;
  const rows = [
    row(0, 0, 65535),
    ...texts.map((_, index) => row(2, group, index)),
    ...[...positions, groupAt, tableAt].map((position) => row(1, position, 0)),
  ];
  // Each row as its difference from the one above, as most writers store it (PNG predictor "up").
  const differences = rows.flatMap((bytes, index) => [
    2,
    ...bytes.map((byte, at) => byte - (rows[index - 1]?.[at] ?? 0)),
  ]);
  file.add(group + 1, {
    entries: `/Type /XRef /Size ${group + 2} /W [1 4 2] /Root 1 0 R /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 7 >>`,
    data: deflateSync(new Uint8Array(differences)),
  });
  file.append(`startxref\n${tableAt}\n%%EOF\n`);
  return file.content();
}

function row(type: number, first: number, second: number): number[] {
  const bytes = Buffer.alloc(7);
  bytes.writeUInt8(type);
  bytes.writeUInt32BE(first, 1);
  bytes.writeUInt16BE(second, 5);
  return [...bytes];
}

class PdfFile {
  readonly #parts: Uint8Array[] = [];
  length = 0;

  constructor() {
    this.append('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n');
  }

  append(part: Uint8Array | string): void {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    this.#parts.push(bytes);
    this.length += bytes.byteLength;
  }

  /** Returns the position of the object. */
  add(number: number, object: PdfObject): number {
    const position = this.length;
    this.append(`${number} 0 obj\n`);
    if (typeof object === 'string') this.append(object);
    else {
      const { entries, data, afterKeyword = '\n' } = object;
      this.append(`<< ${entries} /Length ${data.length} >>\nstream${afterKeyword}`);
      this.append(data);
      this.append('\nendstream');
    }
    this.append('\nendobj\n');
    return position;
  }

  content(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
export const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]';

/** A page that draws object 4, with the resources it may use. */
export function page(resources = ''): string {
  return `<< ${PAGE} /Contents 4 0 R /Resources << ${resources} >> >>`;
}

/** Paints the page of `page()` black. */
export const BLACK_PAGE = '0 0 200 200 re f';

/** Makes a PDF of one black page and further objects, from number 5 on. */
export function pdfWithBlackPage(...more: readonly PdfObject[]): Buffer {
  return pdfWithTable([CATALOG, PAGES, page(), { entries: '', data: BLACK_PAGE }, ...more]);
}

/** Makes a PDF of one page that draws a picture, object 5. */
export function pdfWithPicture(picture: PdfStream): Buffer {
  const drawing = '200 0 0 200 0 0 cm /I Do';
  return pdfWithTable([CATALOG, PAGES, page('/XObject << /I 5 0 R >>'), { entries: '', data: drawing }, picture]);
}
