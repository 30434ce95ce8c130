// Asks every route of staff: a page of a missing part may stand in any area.
import { PART_NAMES, type StoragePart } from '@countersign/domain/storage';
import { namedParts } from '@countersign/test-support/pages/words-of-parts';
import { expect, it } from 'vitest';
import { GUARDS } from './guards.ts';
import { givenWorld, pathOf, type World } from './world.ts';

/** Users who may use every page of an area. */
const USER_OF = { dashboard: 'owner', review: 'operator', admin: 'operator' } as const;

const FORM = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };

/** The routes of staff, each with the parts that its action needs. */
const ROUTES = [...GUARDS].flatMap(([route, guard]) =>
  guard.kind === 'area' ? [{ route, area: guard.area, needs: guard.action?.needs ?? [] }] : [],
);

/** Asks each route without the parts. */
async function ask(missing: readonly StoragePart[], routes: typeof ROUTES, language = 'en') {
  const world: World = await givenWorld();
  const pages = world.pagesWithout(missing);
  const answers: { readonly route: string; readonly status: number; readonly text: string }[] = [];
  for (const { route, area } of routes) {
    // Requests are counted by the minute.
    world.clock.advance(61_000);
    const [method = '', template = ''] = route.split(' ');
    const Cookie = world.signIn(USER_OF[area], { withSecondFactor: true, isConfirmed: true });
    const headers = { Cookie, 'Accept-Language': language };
    const sent = method === 'POST' ? { headers: { ...FORM, ...headers }, body: '' } : { headers };
    const response = await pages.request(pathOf(world, template), { method, ...sent });
    answers.push({ route, status: response.status, text: await response.text() });
  }
  return { world, answers };
}

/** Returns the words of a page, without those of stored entries. */
function wordsOf(html: string): string {
  return html.replace(/<(script|style|tbody)\b[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

/** The parts that have pages for staff. */
const WITH_PAGES = PART_NAMES.filter((part) => ROUTES.some(({ needs }) => needs.includes(part)));

it('parts with pages for staff are those of webhooks, erasure, copies and appearance', () => {
  expect(WITH_PAGES).toEqual(['webhooks', 'retention', 'exports', 'appearances']);
});

it.each(WITH_PAGES)('each page and form of an action that needs the missing part %s answers 404', async (part) => {
  const { answers } = await ask(
    [part],
    ROUTES.filter(({ needs }) => needs.includes(part)),
  );
  expect(answers.filter(({ status }) => status !== 404).map(({ route, status }) => `${route}: ${status}`)).toEqual(
    [],
  );
});

it('a service without any part shows every other page, and links to none that is missing', async () => {
  const isPage = ({ route }: { route: string }) => route.startsWith('GET ');
  const [gone, kept] = [
    ROUTES.filter(({ needs }) => needs.length > 0),
    ROUTES.filter(({ needs }) => needs.length === 0),
  ];
  const { world, answers } = await ask(PART_NAMES, kept.filter(isPage));
  const goneAddresses = gone.filter(isPage).map(({ route }) => pathOf(world, route.slice('GET '.length)));
  const wrong = answers.flatMap(({ route, status, text }) => {
    const links = [...text.matchAll(/(?:href|action)="([^"?#]*)/g)].map(([, address = '']) => address);
    const dead = links.filter((address) => goneAddresses.includes(address));
    return [
      ...(status >= 500 ? [`${route}: ${status}`] : []),
      ...new Set(dead.map((address) => `${route} → ${address}`)),
    ];
  });
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});

it.each(['en', 'de'])('no page of a service without any part names one, in %s', async (language) => {
  const isShown = ({ route, needs }: { route: string; needs: readonly StoragePart[] }) =>
    route.startsWith('GET ') && needs.length === 0;
  const { answers } = await ask(PART_NAMES, ROUTES.filter(isShown), language);
  const naming = answers.flatMap(({ route, status, text }) =>
    status === 200 ? namedParts(wordsOf(text), PART_NAMES).map((words) => `${route}: ${words}`) : [],
  );
  expect(naming).toEqual([]);
});
