import type { ReviewedVerification } from '@countersign/domain';
import type { User } from '@countersign/domain/staff';
import type { Child } from 'hono/jsx';
import { renderToString } from 'hono/jsx/dom/server';
import type { ReviewView } from '../src/review/review-view.ts';
import type { Language } from '../src/site/language.ts';
import { translator } from '../src/site/messages.ts';
import type { Page } from '../src/site/page.ts';
import { aUser, wordsOf } from './console.ts';

/** The reviewer who looks at a case. */
export const REVIEWER: User = aUser('staff-1', { role: 'reviewer', name: 'Rita Ora' });

/** Test data: the page of a component that is drawn alone. Addresses begin with `/kyc`. */
export function aPage(language: Language = 'en'): Page {
  const href = (path: string) => `/kyc${path}`;
  const none = {
    path: '/review',
    returnPath: '/review',
    requestId: 'request-1',
    acceptsHeic: false,
    parts: new Set<never>(),
    turn: async () => undefined,
  };
  return { ...none, language, t: translator(language), href, url: href, asset: (name) => name } as Page;
}

/** Test data: what the page of a case shows to `REVIEWER`, who has sent no form. */
export function aView(reviewed: ReviewedVerification, more: Partial<ReviewView> = {}): ReviewView {
  const names = {
    of: (id: string | null) => `name of ${id}`,
    ofActor: ({ id }: { readonly id: string | null }) => `name of ${id}`,
  };
  return {
    page: aPage(),
    reviewed,
    names,
    reviewer: REVIEWER,
    now: new Date('2026-01-15T13:00:00.000Z'),
    query: '?type=kyc',
    progress: null,
    unsent: null,
    conflict: null,
    copyRequest: undefined,
    ...more,
  } as ReviewView;
}

/** Draws a part of a page, and returns it with and without markup. @throws Error if an element leaves the order of the focus */
export function drawn(part: Child): { readonly html: string; readonly words: string } {
  const html = renderToString(part as Parameters<typeof renderToString>[0]);
  if (/tabindex="[^-0]/.test(html)) throw new Error('An element has its own place in the order of the focus');
  return { html, words: wordsOf(html) };
}

/** Changes the verification of a case. The caller keeps status and values together. */
export function changedCase(reviewed: ReviewedVerification, changes: object): ReviewedVerification {
  return { ...reviewed, verification: { ...reviewed.verification, ...changes } } as ReviewedVerification;
}
