interface Content {
  /** Colour, as PDF writes it, and size in points of each page. Default: one white page. */
  readonly pages?: readonly { readonly fill: string; readonly size?: readonly [number, number] }[];
  /** Between the first line and the first object. */
  readonly comment?: string;
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
  return Buffer.concat([`%PDF-1.4\n${comment}`, ...objects, end].map((part) => Buffer.from(part)));
}

function object(number: number, content: string): string {
  return `${number} 0 obj\n${content}\nendobj\n`;
}
