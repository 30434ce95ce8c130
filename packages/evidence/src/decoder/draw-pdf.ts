import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { type PdfWarning, RefusedFile } from './answer.ts';
import { checkPdf } from './pdf-structure.ts';

/** Length of the longer side of a drawn page in pixels: A4 at 170 dpi, on which small print is readable. */
const PAGE_SIDE = 2000;
const QUALITY = 80;
/** Number of colours with transparency, as pages are drawn. */
const CHANNELS = 4;

export interface DrawnPdf {
  /** The first pages as JPEG. */
  readonly pages: readonly Uint8Array[];
  readonly warnings: readonly PdfWarning[];
}

/**
 * Draws the first pages of a PDF.
 * @param limits the number of pages, and the bytes that they may have together; at least one page is drawn
 * @throws RefusedFile
 */
export async function drawPdf(
  content: Uint8Array,
  limits: { readonly maxPages: number; readonly maxBytes: number },
): Promise<DrawnPdf> {
  const warnings = checkPdf(content);
  const document = await open(content);
  const count = document.getPageCount();
  if (count < 1) throw new RefusedFile('damaged');
  const pages: Uint8Array[] = [];
  let bytes = 0;
  for (let index = 0; index < Math.min(count, limits.maxPages); index++) {
    const page = await draw(document, index);
    bytes += page.byteLength;
    if (index > 0 && bytes > limits.maxBytes) break;
    pages.push(page);
  }
  return { pages, warnings: pages.length < count ? [...warnings, 'pages_left_out'] : warnings };
}

async function open(content: Uint8Array): Promise<PDFiumDocument> {
  // Loaded here, because pictures do not need it.
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const program = await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'));
  const library = await PDFiumLibrary.init({ wasmBinary: Uint8Array.from(program).buffer });
  try {
    return await library.loadDocument(content);
  } catch (error) {
    // The library gives no codes.
    const isEncrypted = error instanceof Error && /password|security/i.test(error.message);
    throw new RefusedFile(isEncrypted ? 'encrypted' : 'damaged');
  }
}

async function draw(document: PDFiumDocument, index: number): Promise<Uint8Array> {
  try {
    const page = document.getPage(index);
    const { data } = await page.render({
      ...sizeOf(page),
      render: ({ data: pixels, width, height }) =>
        sharp(pixels, { raw: { width, height, channels: CHANNELS } })
          .flatten({ background: 'white' })
          .jpeg({ quality: QUALITY })
          .toBuffer(),
    });
    return data;
  } catch (error) {
    // The program stops itself when its memory is used up.
    throw new RefusedFile(error instanceof Error && error.name === 'RuntimeError' ? 'too_complex' : 'damaged');
  }
}

function sizeOf(page: PDFiumPage): { readonly width: number; readonly height: number } {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = PAGE_SIDE / Math.max(originalWidth, originalHeight);
  return { width: Math.max(1, originalWidth * scale), height: Math.max(1, originalHeight * scale) };
}
