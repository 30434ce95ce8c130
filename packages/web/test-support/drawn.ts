import type { ActionEntry } from '@countersign/domain/actions';
import type { StoragePart } from '@countersign/domain/storage';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { renderToString } from 'hono/jsx/dom/server';
import type { Language } from '../src/site/language.ts';
import { translator } from '../src/site/messages.ts';
import type { Page } from '../src/site/page.ts';
import type { Site } from '../src/site/site.ts';
import type { AreaName, StaffEnv } from '../src/staff/area.tsx';
import { wordsOf } from './console.ts';

/** Test data: the page of a component that is drawn alone. Addresses begin with `/kyc`. */
export function aPage(language: Language = 'en'): Page {
  const href = (path: string) => `/kyc${path}`;
  const none = {
    path: '/review',
    returnPath: '/review',
    requestId: 'request-1',
    acceptsHeic: false,
    parts: new Set<StoragePart>(['retention', 'exports']),
    turn: async () => undefined,
  };
  return { ...none, language, t: translator(language), href, url: href, asset: (name) => name };
}

/** Draws a part of a page, and returns it with and without markup. @throws Error if an element has a positive `tabindex` */
export function drawn(part: Child): { readonly html: string; readonly words: string } {
  const html = renderToString(part);
  if (/tabindex="[^-0]/.test(html)) throw new Error('An element has a positive tabindex');
  return { html, words: wordsOf(html) };
}

/** Test data: a site with these options. `ownPages` are the ids of actions that have pages of their own. Addresses begin with `/kyc`. */
export function aSite(options: object, ownPages: readonly string[] = []): Site {
  return { options, actionPages: new Set(ownPages), basePath: '/kyc' } as unknown as Site;
}

/** What the code under test reads from the context of a page. */
interface ContextValues {
  readonly page?: Page;
  readonly now: Date;
  /** Ids of actions that the user may not run. */
  readonly refused?: readonly string[];
  /** Returns the result of an action. Default: none may run. */
  readonly run?: (action: { readonly id: string }, input: unknown) => unknown;
  /** The area. Default: the dashboard. */
  readonly area?: AreaName;
  /** The actions of the site. Default: none. */
  readonly actions?: readonly ActionEntry[];
  /** The query of the area, with its `?`. */
  readonly areaQuery?: string;
  /** The query of the request. */
  readonly query?: Readonly<Record<string, string>>;
  /** The values in the path of the request. */
  readonly params?: Readonly<Record<string, string>>;
  /** Takes faults that hide nothing from the user. */
  readonly onFault?: (fault: unknown) => void;
}

/** Test data: the context of a staff page, whose user is `staff-1`. Users are named after their ids. */
export function aContext(values: ContextValues): Context<StaffEnv> {
  const { page = aPage(), now, refused = [], areaQuery = '', query = {}, params = {}, onFault } = values;
  const { area = 'dashboard', actions = [] } = values;
  const run = values.run ?? ((action) => Promise.reject(new Error(`${action.id} is not expected`)));
  const signIn = { nameOf: async (id: string) => `name of ${id}` };
  const stored: Readonly<Record<string, unknown>> = {
    page,
    as: {
      may: ({ id }: { readonly id: string }) => (refused.includes(id) ? 'no' : 'yes'),
      run: async (action: { readonly id: string }, input: unknown) => run(action, input),
    },
    site: aSite({ clock: { now: () => now }, signIn, onFault, actions }),
    area: { name: area, query: () => areaQuery },
    user: { id: 'staff-1' },
  };
  const req = { query: (name: string) => query[name], param: (name: string) => params[name] };
  const redirect = (location: string, status: number) =>
    new Response(null, { status, headers: { Location: location } });
  return { get: (name: string) => stored[name], req, redirect } as unknown as Context<StaffEnv>;
}
