import { createRequire } from 'node:module';

/**
 * The optional package that decodes HEIC, and the library in it (LGPL), which is used directly: the package does not tell which picture is
 * the primary one. Neither is bundled, so that operators can replace them.
 */
const PACKAGE = 'heic-decode';
const LIBRARY = 'libheif-js/wasm-bundle';

/** The part of the library that is used. */
export interface HeicLibrary {
  readonly HeifDecoder: new () => {
    /** Lists the pictures of a file; none if it cannot be read. */
    decode(content: Uint8Array): readonly HeicPicture[];
  };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown };
  /** Decodes a picture, upright. The result of a damaged picture has no channels. */
  heif_js_decode_image2(handle: unknown, colourSpace: unknown, chroma: unknown): Awaitable<HeicPixels | undefined>;
}

/** A picture of a HEIC, not decoded yet. */
export interface HeicPicture {
  readonly handle: unknown;
  is_primary(): boolean;
  get_width(): number;
  get_height(): number;
}

/** A decoded picture. */
export interface HeicPixels {
  /** Owns the memory of the channels. Keep a reference to it as long as they are used. */
  readonly image: unknown;
  /** One for all colours. */
  readonly channels?: readonly [HeicChannel];
}

interface HeicChannel {
  readonly width: number;
  readonly height: number;
  /** Bytes of a row. The last ones may be unused. */
  readonly stride: number;
  readonly data: Uint8Array;
}

type Awaitable<T> = T | Promise<T>;

const installed = createRequire(import.meta.url);

/** Whether the package is installed beside this one. */
export function isHeicInstalled(): boolean {
  try {
    installed.resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * Loads the library. Silences the console, because the library writes there, and the standard output of the decoder is its answer.
 * @throws Error if the package is not installed
 */
export function loadHeicLibrary(): HeicLibrary {
  const silent = () => undefined;
  Object.assign(console, { debug: silent, error: silent, info: silent, log: silent, warn: silent });
  return createRequire(installed.resolve(PACKAGE))(LIBRARY) as HeicLibrary;
}
