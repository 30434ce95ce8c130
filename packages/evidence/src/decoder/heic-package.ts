import { createRequire } from 'node:module';

/** The optional package that decodes HEIC. Not bundled, so that operators can replace it and the library in it (LGPL). */
const PACKAGE = 'heic-decode';

/** The part of the package that is used. */
export interface HeicDecode {
  readonly all: (input: { readonly buffer: Uint8Array }) => Promise<readonly HeicPicture[]>;
}

/** A picture of a HEIC, not decoded yet. */
export interface HeicPicture {
  readonly width: number;
  readonly height: number;
  /** Decodes it, upright. */
  readonly decode: () => Promise<{ readonly data: Uint8ClampedArray }>;
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
 * Loads the package. Silences the console, because the library writes there, and the standard output of the decoder is its answer.
 * @throws Error if it is not installed
 */
export function loadHeicDecode(): HeicDecode {
  const silent = () => undefined;
  Object.assign(console, { debug: silent, error: silent, info: silent, log: silent, warn: silent });
  return installed(PACKAGE) as HeicDecode;
}
