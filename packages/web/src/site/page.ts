import type { ShownAppearance } from '@countersign/domain/clients';
import type { StoragePart } from '@countersign/domain/storage';
import type { Context, MiddlewareHandler } from 'hono';
import type { Child } from 'hono/jsx';
import { type Language, languageOf } from './language.ts';
import { type Translate, translator } from './messages.ts';
import { pathBelowMount, pathToReturnTo } from './paths.ts';
import type { Site } from './site.ts';
import type { Turn } from './turns.ts';

/** What stands around the content of a page. */
export interface PageFrame {
  /** Class of the body, after which the stylesheet is named that draws the frame. */
  readonly name: 'subject' | 'staff' | 'docs';
  /** Further classes of the body. */
  readonly class?: string | undefined;
  /** Instead of the header with the name and the language. */
  readonly shell?: Child;
}

/** The area of a signed-in user, for pages that every area has, such as those of errors. */
export interface PageArea {
  /** The path where it starts. */
  readonly path: string;
  /** Draws its menu. */
  readonly frame: (title: string) => Promise<PageFrame>;
}

/** What every page needs: texts, addresses and the request. */
export interface Page {
  readonly language: Language;
  readonly t: Translate;
  /** The parts that the storage has: pages of others are not offered. */
  readonly parts: ReadonlySet<StoragePart>;
  /** Returns the address of a path of this service: `href('/verify/…')`. */
  readonly href: (path: string) => string;
  /** Returns the same with the origin, for readers outside this site. */
  readonly url: (path: string) => string;
  /** Reads the client whose appearance the page shows; null for an unknown one. Absent on pages of the service itself. */
  readonly appearance?: () => Promise<ShownAppearance | null>;
  /** Returns the address of a file in assets/: `asset('tokens.css')`. */
  readonly asset: (name: string) => string;
  /** The requested path, as `href` takes it. */
  readonly path: string;
  /** Where to return to: the path with the query of a page that was read, the path alone for a form. */
  readonly returnPath: string;
  readonly requestId: string;
  /** Absent on pages for everyone. */
  readonly area?: PageArea;
  /** Whether pictures in HEIC are accepted. */
  readonly acceptsHeic: boolean;
  /** Waits for the turn of this request, before work that takes long. */
  readonly turn: Turn;
}

/** The context of every request, as `pagesOf` fills it. */
export interface WebEnv {
  Variables: { page: Page };
}

/** Puts a {@link Page} into the context of each request, which then begins in its turn. */
export function pagesOf(site: Site): MiddlewareHandler<WebEnv> {
  const { secrets, newRequestId = () => secrets.randomHex(REQUEST_ID_BYTES) } = site.options;
  return async (context, next) => {
    context.set('page', pageOf(site, context, newRequestId(context)));
    await site.turn();
    await next();
  };
}

/** Returns the page in another language. */
export function inLanguage(page: Page, language: Language): Page {
  return { ...page, language, t: translator(language, page.parts) };
}

const REQUEST_ID_BYTES = 12;

function pageOf(site: Site, context: Context<WebEnv>, requestId: string): Page {
  const language = languageOf(context);
  const href = (path: string) => site.basePath + path;
  return {
    language,
    t: translator(language, site.parts),
    parts: site.parts,
    href,
    url: (path) => site.origin + href(path),
    asset: (name) => href(site.assets.pathOf(name)),
    path: pathBelowMount(context),
    returnPath: pathToReturnTo(context),
    requestId,
    acceptsHeic: site.options.acceptsHeic === true,
    turn: site.turn,
  };
}
