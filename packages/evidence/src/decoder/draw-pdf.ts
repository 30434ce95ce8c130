import sharp from 'sharp';
import { PDF_MAX_INFLATED_BYTES } from '../structure/limits.ts';
import { type PdfWarning, RefusedFile } from './answer.ts';
import { checkPdf } from './pdf-structure.ts';
import { CHANNELS, type Drawing, openWithPdfium } from './pdfium.ts';

/** Length of the longer side of a drawn page in pixels: A4 at 170 dpi, on which small print is readable. */
const PAGE_SIDE = 2000;
const QUALITY = 80;

export interface DrawnPdf {
  /** The first pages as JPEG. */
  readonly pages: readonly Uint8Array[];
  readonly warnings: readonly PdfWarning[];
}

/**
 * Checks a PDF and draws its first pages. The file is checked twice: as it is, for readers that find other objects than
 * pdfium, and as pdfium writes it, so that no syntax hides an object that is drawn.
 * @param limits the number of pages, and the bytes that they may have together; at least one page is drawn
 * @throws RefusedFile
 */
export async function drawPdf(
  content: Uint8Array,
  limits: { readonly maxPages: number; readonly maxBytes: number },
): Promise<DrawnPdf> {
  const inFile = checkPdf(content);
  const document = await openWithPdfium(content);
  const count = document.pageCount;
  if (count < 1) throw new RefusedFile('damaged');
  const inCopy = checkPdf(document.copy(content.byteLength + PDF_MAX_INFLATED_BYTES));
  const warnings = [...new Set([...inFile, ...inCopy])];
  const pages: Uint8Array[] = [];
  let bytes = 0;
  for (let index = 0; index < Math.min(count, limits.maxPages); index++) {
    const page = await toJpeg(document.draw(index, PAGE_SIDE));
    bytes += page.byteLength;
    if (index > 0 && bytes > limits.maxBytes) break;
    pages.push(page);
  }
  return { pages, warnings: pages.length < count ? [...warnings, 'pages_left_out'] : warnings };
}

function toJpeg({ pixels, width, height }: Drawing): Promise<Uint8Array> {
  return sharp(pixels, { raw: { width, height, channels: CHANNELS } })
    .flatten({ background: 'white' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
