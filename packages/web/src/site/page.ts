import type { Language } from './language.ts';
import type { Translate } from './messages.ts';

/** What a page is written with. */
export interface Page {
  readonly language: Language;
  readonly t: Translate;
  /** The address of a path of this service: `href('/verify/…')`. */
  readonly href: (path: string) => string;
  /** The address of a file in assets/: `asset('site.css')`. */
  readonly asset: (name: string) => string;
  /** The path that was asked for, as `href` takes it. */
  readonly path: string;
  readonly requestId: string;
}
