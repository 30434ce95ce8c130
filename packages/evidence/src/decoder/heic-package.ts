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
}

/** A picture of a HEIC, not decoded yet. */
export interface HeicPicture {
  is_primary(): boolean;
  get_width(): number;
  get_height(): number;
  /** Decodes it, upright, into four bytes a pixel. Passes null on if it is damaged. */
  display(target: Pixels, done: (pixels: Pixels | null) => void): void;
}

interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

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
