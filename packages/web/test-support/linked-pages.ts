import { CLARA, OLGA, RITA } from './console.ts';
import { ANDY, VERA } from './dashboard.ts';
import type { GivenOperator } from './operator.ts';

/** More pages than any role reaches: lists, one of each item and their filters. */
const PAGES_MAX = 250;

/** A user of each role. */
export const ROLES = [
  ['owner', CLARA],
  ['agent', ANDY],
  ['viewer', VERA],
  ['reviewer', RITA],
  ['operator', OLGA],
] as const;

interface LinkedPage {
  readonly status: number;
  /** The address of a page that links to it. */
  readonly from: string;
  readonly text: string;
}

/** Makes data for the pages of staff: verifications in several states, an invited and a removed user. */
export async function givenDataOfStaff(given: GivenOperator): Promise<void> {
  const waiting = await given.submitted({ subjectReference: 'waiting' });
  await given.submitted({ subjectReference: 'approved' });
  await given.pending();
  await given.send('/admin/users/ben/invitation');
  await given.send('/admin/users/ben/remove', { email: 'ben@example.org' });
  await given.send(`/review/${waiting}/claim`, {}, RITA);
}

/** Follows every link from the user's home page. Returns the pages by their addresses. */
export async function followLinks(given: GivenOperator, who: string): Promise<ReadonlyMap<string, LinkedPage>> {
  const seen = new Map<string, LinkedPage>();
  const waiting = [{ path: '/account', from: '(start)' }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, from } = next;
    if (seen.has(path) || seen.size >= PAGES_MAX) continue;
    // The requests of a user are limited for each minute, and a confirmation holds for ten.
    given.ports.clock.advance(1_000);
    const { status, headers, text } = await given.open(path, who);
    seen.set(path, { status, from, text });
    const location = headers.get('Location');
    const links = [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
    for (const href of location === null ? links : [location]) {
      const target = href.replaceAll('&amp;', '&').replace(/#.*/, '');
      // The API answers the reference.
      if (target.startsWith('/kyc/') && target !== '/kyc/docs')
        waiting.push({ path: target.slice('/kyc'.length), from: path });
    }
  }
  return seen;
}
