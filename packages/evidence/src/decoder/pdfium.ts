import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { RefusedFile } from './answer.ts';

/** What is used of the global object, which the types of Node.js do not have. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Table {
    set(index: number, value: unknown): void;
  }
  type Exports = Record<string, object>;
  const Module: new (program: Uint8Array) => object;
  const Instance: new (module: object, imports: object) => { readonly exports: Exports };
  const RuntimeError: new () => Error;
}

/** The functions of pdfium (`fpdfview.h`, `fpdf_save.h`) that the decoder calls. Pointers and handles are numbers. */
type Functions = {
  readonly malloc: (bytes: number) => number;
  readonly free: (pointer: number) => void;
  readonly FPDF_LoadMemDocument: (data: number, bytes: number, password: number) => number;
  readonly FPDF_GetLastError: () => number;
  readonly FPDF_GetSecurityHandlerRevision: (document: number) => number;
  readonly FPDF_GetPageCount: (document: number) => number;
  readonly FPDF_SaveAsCopy: (document: number, writer: number, flags: number) => number;
  readonly FPDF_LoadPage: (document: number, index: number) => number;
  readonly FPDF_ClosePage: (page: number) => void;
  readonly FPDF_GetPageWidthF: (page: number) => number;
  readonly FPDF_GetPageHeightF: (page: number) => number;
  readonly FPDFBitmap_CreateEx: (w: number, h: number, format: number, pixels: number, stride: number) => number;
  readonly FPDFBitmap_FillRect: (
    bitmap: number,
    x: number,
    y: number,
    w: number,
    h: number,
    colour: number,
  ) => void;
  readonly FPDFBitmap_Destroy: (bitmap: number) => void;
  readonly FPDF_RenderPageBitmap: (
    ...parameters: readonly [
      bitmap: number,
      page: number,
      x: number,
      y: number,
      w: number,
      h: number,
      rotate: number,
      flags: number,
    ]
  ) => void;
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
};

/** `FPDF_ERR_PASSWORD` and `FPDF_ERR_SECURITY`. */
const ENCRYPTED_ERRORS: readonly number[] = [4, 5];
/** `FPDF_GetSecurityHandlerRevision` of a document that is not encrypted. */
const NO_SECURITY_HANDLER = -1;
const NO_INCREMENTAL = 2;
const BITMAP_BGRA = 4;
const WHITE = 0xffffffff;
/** Annotations are drawn, text is smoothed, and red comes first. */
const RENDER_FLAGS = 0x01 | 0x02 | 0x10;
/** Bytes of each pixel. */
export const CHANNELS = 4;

/** A drawn page: its pixels, `CHANNELS` bytes each, row by row. */
export interface Drawing {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A PDF as pdfium reads it. */
export interface PdfiumDocument {
  readonly pageCount: number;
  /**
   * Writes all objects that pdfium finds in the file, in plain syntax and outside object streams.
   * @throws RefusedFile `too_complex` over `maxBytes`
   */
  copy(maxBytes: number): Buffer;
  /** Draws a page. @param side length of the longer side in pixels */
  draw(index: number, side: number): Drawing;
}

/**
 * Opens a PDF with pdfium.
 * @throws RefusedFile `encrypted`, also if it opens without a password; `damaged`; `too_complex` without enough memory
 */
export async function openWithPdfium(content: Uint8Array): Promise<PdfiumDocument> {
  const program = await startPdfium();
  const { pdfium } = program;
  const document = run(program, () => load(pdfium, content));
  return {
    pageCount: run(program, () => pdfium.FPDF_GetPageCount(document)),
    copy: (maxBytes) => run(program, () => copyOf(program, document, maxBytes)),
    draw: (index, side) => run(program, () => drawPage(pdfium, document, index, side)),
  };
}

function load(pdfium: Functions, content: Uint8Array): number {
  const document = pdfium.FPDF_LoadMemDocument(allocate(pdfium, content), content.byteLength, 0);
  if (document === 0) {
    throw new RefusedFile(ENCRYPTED_ERRORS.includes(pdfium.FPDF_GetLastError()) ? 'encrypted' : 'damaged');
  }
  if (pdfium.FPDF_GetSecurityHandlerRevision(document) !== NO_SECURITY_HANDLER) throw new RefusedFile('encrypted');
  return document;
}

interface Program {
  readonly pdfium: Functions;
  /** Whether pdfium asked for more memory than it may have. It then leaves out pictures, or stops. */
  isOutOfMemory: boolean;
  /** Receives what pdfium writes. @returns whether it may go on */
  receive: (piece: Buffer) => boolean;
}

/** Runs pdfium. @throws RefusedFile `too_complex` if its memory was used up */
function run<T>(program: Program, work: () => T): T {
  try {
    const result = work();
    if (program.isOutOfMemory) throw new RefusedFile('too_complex');
    return result;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || program.isOutOfMemory) throw new RefusedFile('too_complex');
    throw error;
  }
}

/** Functions that the program calls, among them the one that asks for memory. */
interface Imports {
  readonly env: { readonly emscripten_resize_heap: (bytes: number) => boolean };
}

let compiled: Promise<object> | undefined;

/** Compiles the program, once a process. */
async function compile(): Promise<object> {
  const file = await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'));
  return new WebAssembly.Module(file);
}

/** Loads the program. Its memory is limited by the flags of the decoder's process. */
async function startPdfium(): Promise<Program> {
  // Loaded here, because pictures do not need it.
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  compiled ??= compile();
  const module = await compiled;
  let exports: WebAssembly.Exports = {};
  let growMemory: (bytes: number) => boolean = () => false;
  const emscriptenResizeHeap = (bytes: number): boolean => {
    const isGrown = growMemory(bytes);
    program.isOutOfMemory ||= !isGrown;
    return isGrown;
  };
  await PDFiumLibrary.init({
    instantiateWasm(imports: Imports, start: (instance: object) => void) {
      growMemory = imports.env.emscripten_resize_heap;
      const env = { ...imports.env, emscripten_resize_heap: emscriptenResizeHeap };
      const instance = new WebAssembly.Instance(module, { ...imports, env });
      exports = instance.exports;
      start(instance);
      return exports;
    },
  });
  const program: Program = { pdfium: exports as Functions, isOutOfMemory: false, receive: () => false };
  setWriteBlock(program);
  return program;
}

/**
 * A WebAssembly module that exports the function it imports, `(i32, i32, i32) -> i32`: WebAssembly calls functions of
 * JavaScript through a table only in this form.
 */
const WRITE_BLOCK: Uint8Array = Buffer.from(
  ['0061736d01000000', '01080160037f7f7f017f', '020701016501660000', '07050101660000'].join(''),
  'hex',
);
/** The place of the null pointer, the only free one: the table cannot grow. */
const WRITE_BLOCK_POINTER = 0;

/** Makes `WriteBlock` of `FPDF_FILEWRITE` call the program's `receive`. */
function setWriteBlock(program: Program): void {
  const { memory, __indirect_function_table: table } = program.pdfium;
  const f = (_writer: number, data: number, bytes: number): number =>
    program.receive(Buffer.from(memory.buffer.slice(data, data + bytes))) ? 1 : 0;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(WRITE_BLOCK), { e: { f } });
  table.set(WRITE_BLOCK_POINTER, exports.f);
}

function copyOf(program: Program, document: number, maxBytes: number): Buffer {
  const { pdfium } = program;
  const pieces: Buffer[] = [];
  let bytes = 0;
  program.receive = (piece) => {
    bytes += piece.byteLength;
    pieces.push(piece);
    return bytes <= maxBytes;
  };
  const version = [1, 0, 0, 0];
  const writeBlock = [WRITE_BLOCK_POINTER, 0, 0, 0];
  const writer = allocate(pdfium, new Uint8Array([...version, ...writeBlock]));
  const isComplete = pdfium.FPDF_SaveAsCopy(document, writer, NO_INCREMENTAL) !== 0;
  pdfium.free(writer);
  if (bytes > maxBytes) throw new RefusedFile('too_complex');
  if (!isComplete) throw new RefusedFile('damaged');
  return Buffer.concat(pieces);
}

function drawPage(pdfium: Functions, document: number, index: number, side: number): Drawing {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) throw new RefusedFile('damaged');
  const [pageWidth, pageHeight] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const scale = side / Math.max(pageWidth, pageHeight);
  const width = Math.max(1, Math.floor(pageWidth * scale));
  const height = Math.max(1, Math.floor(pageHeight * scale));
  const bytes = width * height * CHANNELS;
  const pixels = pdfium.malloc(bytes);
  if (pixels === 0) throw new RefusedFile('too_complex');
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BITMAP_BGRA, pixels, width * CHANNELS);
  if (bitmap === 0) throw new RefusedFile('damaged');
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
  const drawing = { pixels: new Uint8Array(pdfium.memory.buffer.slice(pixels, pixels + bytes)), width, height };
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(page);
  pdfium.free(pixels);
  return drawing;
}

function allocate(pdfium: Functions, content: Uint8Array): number {
  const pointer = pdfium.malloc(content.byteLength);
  if (pointer === 0) throw new RefusedFile('too_complex');
  new Uint8Array(pdfium.memory.buffer).set(content, pointer);
  return pointer;
}
