import type { IndexTerm } from './index-terms.ts';

/** White space and control characters: pages show each run of them as one space, or not at all. */
const SHOWN_AS_SPACE = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Returns a client's reference as reviewers read it and can type it: each run of white space and control characters is one space, without
 * those at the ends. Case and everything else count.
 *
 * @example
 * shownReference(' order\r\n42 '); // 'order 42'
 */
export function shownReference(reference: string): string {
  return reference.replaceAll(SHOWN_AS_SPACE, ' ').trim();
}

/** Lists the term of a reference that differs from what is shown. Databases find all others by the reference itself. */
export function termsOfReference(reference: string): readonly IndexTerm[] {
  const shown = shownReference(reference);
  return shown === reference ? [] : termsOfShownReference(shown);
}

/** Lists the term by which references that are shown like this are found. */
export function termsOfShownReference(shown: string): readonly IndexTerm[] {
  return shown === '' ? [] : [{ purpose: 'person', text: REFERENCE + shown, isForSearch: true }];
}

/** Whether a term is a reference. The other terms of a person begin with a date. */
export function isReference({ text }: IndexTerm): boolean {
  return text.startsWith(REFERENCE);
}

const REFERENCE = 'reference ';
