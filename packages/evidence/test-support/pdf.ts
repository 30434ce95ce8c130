interface Content {
  /** Colour, as PDF writes it, and size in points of each page. Default: one white page. */
  readonly pages?: readonly { readonly fill: string; readonly size?: readonly [number, number] }[];
  /** Between the first line and the first object. */
  readonly comment?: Uint8Array | string;
  /** Entries of the catalog and of the trailer. */
  readonly catalog?: string;
  readonly trailer?: string;
  /** Streams that no page uses, as they stand in the file. */
  readonly streams?: readonly Uint8Array[];
  readonly streamType?: string;
}

const A4 = [595, 842] as const;
/** Numbers of objects: pages from here on, then other streams. */
const FIRST_PAGE = 100;
const FIRST_STREAM = 1000;

/** A PDF. It has no table of its objects: readers make one. */
export function pdf(content: Content = {}): Buffer {
  const { pages = [{ fill: '1 1 1' }], comment = '', catalog = '', trailer = '', streams = [] } = content;
  const kids = pages.map((_, index) => `${FIRST_PAGE + 2 * index} 0 R`).join(' ');
  const objects: (Uint8Array | string)[] = [
    object(1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`),
    object(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
  ];
  for (const [index, { fill, size: [width, height] = A4 }] of pages.entries()) {
    const page = FIRST_PAGE + 2 * index;
    const drawing = `${fill} rg 0 0 ${width} ${height} re f`;
    objects.push(
      object(page, `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${page + 1} 0 R >>`),
      object(page + 1, `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`),
    );
  }
  for (const [index, stream] of streams.entries()) {
    const type = content.streamType === undefined ? '' : `/Type ${content.streamType}`;
    const head = `<< ${type} /Filter /FlateDecode /Length ${stream.byteLength} >>\nstream\n`;
    objects.push(`${FIRST_STREAM + index} 0 obj\n${head}`, stream, '\nendstream\nendobj\n');
  }
  const end = `trailer\n<< /Root 1 0 R /Size 9999 ${trailer} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat(['%PDF-1.4\n', comment, ...objects, end].map((part) => Buffer.from(part)));
}

/** A PDF whose page draws a form that draws the next one several times, and so on: `draws` to the power of `levels` drawings. */
export function nestedForms({ levels, draws }: { levels: number; draws: number }): Buffer {
  const form = (number: number, content: string, entries = '') =>
    object(
      number,
      `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  const resources = (next: number) => `/Resources << /XObject << /F ${next} 0 R >> >>`;
  const nested = Array.from({ length: levels }, (_, level) =>
    form(10 + level, '/F Do '.repeat(draws), resources(11 + level)),
  );
  return Buffer.from(
    [
      '%PDF-1.4\n',
      object(1, '<< /Type /Catalog /Pages 2 0 R >>'),
      object(2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
      object(3, `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources(10)} /Contents 4 0 R >>`),
      object(4, '<< /Length 5 >>\nstream\n/F Do\nendstream'),
      ...nested,
      form(10 + levels, '1 0 0 rg 0 0 595 842 re f'),
      'trailer\n<< /Root 1 0 R /Size 9999 >>\nstartxref\n0\n%%EOF\n',
    ].join(''),
  );
}

function object(number: number, content: string): string {
  return `${number} 0 obj\n${content}\nendobj\n`;
}
