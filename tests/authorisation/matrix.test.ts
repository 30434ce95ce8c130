// Sends every caller to every route: some thousand pages are rendered.
import type { AuditEntry } from '@countersign/domain';
import { MEMORY_SECOND_FACTOR } from '@countersign/memory';
import { afterAll, describe, expect, it } from 'vitest';
import { CALLERS, type Caller } from './callers.ts';
import {
  type Allowed,
  API_ROUTES,
  apiExpectation,
  type Expectation,
  type Expected,
  pageExpectation,
} from './expectations.ts';
import { GUARDS } from './guards.ts';
import { API_PATH, givenWorld, pathOf, SECRET_NAME, type World } from './world.ts';

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly lines: readonly AuditEntry[];
}

let cells = 0;
let routes = 0;

afterAll(() => {
  console.info(
    `authorisation: ${routes} routes × ${Object.keys(CALLERS).length} callers = ${cells} answers checked`,
  );
});

it('each route of the pages has a guard, and each guard a route', async () => {
  const { pages } = await givenWorld();
  expect(pageRoutes(pages)).toEqual([...GUARDS.keys()].toSorted());
});

it('a planted route without a guard is found', async () => {
  const { pages } = await givenWorld();
  pages.get('/admin/planted/:id', (context) => context.text('open to anyone'));
  const unguarded = pageRoutes(pages).filter((route) => !GUARDS.has(route));
  expect(unguarded).toEqual(['GET /admin/planted/{id}']);
});

describe.each(Object.entries(CALLERS))('%s', (_name, caller) => {
  it('gets from each route the answer that its guard and the catalogue require', async () => {
    const world = await givenWorld();
    const wrong: object[] = [];
    const all = [...API_ROUTES, ...GUARDS.keys()];
    for (const route of all) {
      const { expected, answer } = await ask(world, caller, route);
      const problem = problemOf(expected, answer, route);
      if (problem !== null) wrong.push({ route, problem });
    }
    routes = all.length;
    cells += all.length;
    expect(wrong).toEqual([]);
  });
});

/** Sends a request and reads the lines that it leaves. */
async function ask(
  world: World,
  caller: Caller,
  route: string,
): Promise<{ expected: Expectation; answer: Answer }> {
  // The audit log sums up repeated refusals, and requests are counted by the minute.
  world.clock.advance(61_000);
  await world.countersign.summariseRefusals();
  const [method = '', template = ''] = route.split(' ');
  const headers = await headersOf(world, caller);
  const session = caller.kind === 'user' ? await world.session(headers.Cookie ?? '') : null;
  const expected = template.startsWith(API_PATH)
    ? apiExpectation(caller, method, template)
    : pageExpectation(world, { caller, session }, { method, template });
  const before = await world.auditHead();
  const sent = template.startsWith(API_PATH) ? { ...JSON_BODY, body: '{}' } : { ...FORM, body: '' };
  const hasBody = method === 'POST' || method === 'PUT';
  const response = await world.app.request(addressOf(world, caller, template), {
    method,
    headers: hasBody ? { ...headers, ...sent.headers } : headers,
    ...(hasBody && { body: BODIES[route] ?? sent.body }),
  });
  const { status } = response;
  const answer = {
    status,
    location: response.headers.get('Location') ?? '',
    body: await response.text(),
    lines: await world.audit(before),
  };
  return { expected, answer };
}

/** Bodies of requests that would be refused because they are empty, before the caller is checked. */
const BODIES: Readonly<Record<string, string>> = {
  [`PUT ${API_PATH}/verifications/{id}/relationship-end`]: '{"endedAt":null}',
  'POST /account/security/confirm': new URLSearchParams([
    ['uri', MEMORY_SECOND_FACTOR.uri],
    ['secret', MEMORY_SECOND_FACTOR.secret],
    ...MEMORY_SECOND_FACTOR.backupCodes.map((code): [string, string] => ['backupCodes', code]),
    ['code', '000000'],
  ]).toString(),
};

const FORM = {
  headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' },
};
const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

async function headersOf(world: World, caller: Caller): Promise<Record<string, string>> {
  switch (caller.kind) {
    case 'anonymous':
      return {};
    case 'user':
      return { Cookie: world.signIn(caller.id, caller) };
    case 'key':
      return { 'X-API-Key': caller.name === 'unknown' ? `csk_${'0'.repeat(64)}` : world.keys[caller.name] };
    case 'subject': {
      const { headers } = await world.app.request(world.links[caller.name]);
      const cookie = headers.get('Set-Cookie')?.split(';')[0];
      return cookie === undefined ? {} : { Cookie: cookie };
    }
    default:
      return caller satisfies never;
  }
}

/** A link is the subject's own; for all other callers it is forged. */
function addressOf(world: World, caller: Caller, template: string): string {
  if (template === '/verify/{reference}') {
    return caller.kind === 'subject' ? world.links[caller.name] : `${world.links.current}x`;
  }
  return pathOf(world, template);
}

function pageRoutes(pages: World['pages']): string[] {
  // Routes for all methods are middleware.
  const found = pages.routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/assets'));
  const named = found.map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)(?:\{.*?\})?(?=\/|$)/g, '{$1}')}`,
  );
  return [...new Set(named)].toSorted();
}

/** Statuses of a caller who is refused, or of a fault. */
const REFUSED = [401, 403, 429, 500, 503];
/** Pages to which a refused caller is redirected. */
const TURNED_AWAY = ['/account/sign-in', '/account/confirm', '/account/security?needed'];
const REFUSAL_CODES = ['NOT_ALLOWED', 'CONFIRMATION_NEEDED'];

/** Returns what differs from the expectation; null if nothing does. */
function problemOf(expected: Expectation, answer: Answer, route: string): string | null {
  if (expected === 'open') return REFUSED.includes(answer.status) ? `is refused with ${answer.status}` : null;
  return 'allowed' in expected ? problemOfAllowed(expected, answer, route) : problemOfRefusal(expected, answer);
}

/** Routes about something that the world does not have: a PDF, and an invitation of the user without an account. */
const NOT_THERE: ReadonlySet<string> = new Set([
  'GET /review/{id}/files/{fileId}/pages/{page}',
  'GET /dashboard/verifications/{verificationId}/files/{fileId}/pages/{page}',
  'GET /dashboard/test/verifications/{verificationId}/files/{fileId}/pages/{page}',
  'GET /dashboard/team/{userId}/invitation',
  'POST /dashboard/team/{userId}/invitation',
]);

/** Forms are sent empty, so most are answered with their problems: as the action's attempt, not as a matter of rights. */
function problemOfAllowed({ allowed }: Allowed, answer: Answer, route: string): string | null {
  const { status, location, lines } = answer;
  if (REFUSED.includes(status)) return `is refused with ${status}`;
  if (status === 404 && !NOT_THERE.has(route)) return 'is not found';
  if (route.startsWith('GET ') && ![200, 303].includes(status) && !NOT_THERE.has(route)) return `status ${status}`;
  if (allowed !== null && !lines.some(({ action }) => action === allowed.id))
    return `leaves no line of ${allowed.id}`;
  if (TURNED_AWAY.some((path) => location.startsWith(path))) return `is redirected to ${location}`;
  const refused = lines.find(({ detail }) => REFUSAL_CODES.some((code) => code === detail.code));
  return refused === undefined ? null : `leaves the line ${refused.action} ${JSON.stringify(refused.detail)}`;
}

function problemOfRefusal({ status, code, text: shown, location, line }: Expected, answer: Answer): string | null {
  if (answer.status !== status) return `status ${answer.status}`;
  if (location !== undefined && !answer.location.startsWith(location)) return `redirects to ${answer.location}`;
  if (code !== undefined && !isEnvelope(answer.body, { code, error: shown })) return `answers ${answer.body}`;
  if (code === undefined && shown !== undefined && !answer.body.includes(`<h1>${shown}</h1>`))
    return 'another page';
  if (answer.body.includes(SECRET_NAME)) return 'shows personal data';
  const refusals = answer.lines.filter(({ outcome }) => outcome !== 'allowed');
  if (line === undefined) return null;
  if (refusals.length !== (line === null ? 0 : 1)) return `leaves ${refusals.length} lines`;
  return line === null || isLike(refusals[0], line) ? null : `leaves the line ${JSON.stringify(refusals[0])}`;
}

function isEnvelope(body: string, expected: object): boolean {
  const { success, code, error } = JSON.parse(body) as Record<string, unknown>;
  return success === false && isLike({ code, error }, expected);
}

function isLike(value: unknown, like: object): boolean {
  return equals(value, expect.objectContaining(like));
}

function equals(value: unknown, expected: unknown): boolean {
  try {
    expect(value).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}
