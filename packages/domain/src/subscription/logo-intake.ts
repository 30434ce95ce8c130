import type { Upload } from '../input/upload.ts';
import type { Logo } from './client-appearance.ts';

/** Greatest width of a logo, in pixels. A larger picture is made smaller. */
export const LOGO_MAX_WIDTH = 512;
/** Greatest height of a logo, in pixels. A larger picture is made smaller. */
export const LOGO_MAX_HEIGHT = 256;

/** Largest re-encoded logo, in bytes. */
export const LOGO_MAX_BYTES: number = 64 * 1024;

/** Checks uploaded logos and re-encodes them. */
export interface LogoIntake {
  /**
   * Reads the upload to its end or until it is refused, and redraws it as a PNG within the bounds above. A refused upload leaves
   * nothing behind.
   * @throws CountersignError `FILE_EMPTY`, `FILE_TOO_LARGE`, `FILE_TYPE_REFUSED` (neither JPEG, PNG nor WebP, or animated),
   *   `FILE_DAMAGED`, `PICTURE_TOO_LARGE`, `FILE_TOO_COMPLEX`, `UPLOADS_PAUSED`; rethrows what the upload and `requireSender` throw
   */
  receiveLogo(upload: Upload, sender: string): Promise<Logo>;
}
