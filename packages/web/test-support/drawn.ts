import type { StoragePart } from '@countersign/domain/storage';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { renderToString } from 'hono/jsx/dom/server';
import type { Language } from '../src/site/language.ts';
import { translator } from '../src/site/messages.ts';
import type { Page } from '../src/site/page.ts';
import type { StaffEnv } from '../src/staff/area.tsx';
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
  return { ...none, language, t: translator(language), href, url: href, asset: (name) => name } as Page;
}

/** Draws a part of a page, and returns it with and without markup. @throws Error if an element leaves the order of the focus */
export function drawn(part: Child): { readonly html: string; readonly words: string } {
  const html = renderToString(part as Parameters<typeof renderToString>[0]);
  if (/tabindex="[^-0]/.test(html)) throw new Error('An element has its own place in the order of the focus');
  return { html, words: wordsOf(html) };
}

/**
 * Test data: the context of a staff page in the dashboard, whose user may run each action but those in `refused`.
 * @param now what the clock says
 */
export function aContext(
  page: Page,
  { now, refused = [], query = '' }: { readonly now: Date; readonly refused?: readonly string[]; readonly query?: string },
): Context<StaffEnv> {
  const values: Readonly<Record<string, unknown>> = {
    page,
    as: { may: ({ id }: { readonly id: string }) => (refused.includes(id) ? 'no' : 'yes') },
    site: { options: { clock: { now: () => now } } },
    area: { name: 'dashboard', query: () => query },
  };
  return { get: (name: string) => values[name] } as unknown as Context<StaffEnv>;
}
