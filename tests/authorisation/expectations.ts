import { readFileSync } from 'node:fs';
import type { ActionEntry } from '@countersign/domain/actions';
import { lacksSecondFactor, type StaffSession } from '@countersign/domain/staff';
import { ERRORS, openApiDocument } from '@countersign/http';
import { expect } from 'vitest';
import type { Caller } from './callers.ts';
import { AREAS, GUARDS, type Guard } from './guards.ts';
import { RIGHTS } from './rights-table.ts';
import { API_PATH, type KeyName, type World } from './world.ts';

/** What a cell of the matrix must show. A missing part may be anything that the guard allows. */
export interface Expected {
  readonly status: number;
  readonly code?: string;
  /** The page's heading, or the text of an error of the API. */
  readonly text?: string;
  /** Beginning of `Location`. */
  readonly location?: string;
  /** The one line of a refusal in the audit log; null for none. Absent where the action decides. */
  readonly line?: object | null;
}
/** The guard lets the caller in. A form of an action then leaves a line of it. */
export interface Allowed {
  readonly allowed: ActionEntry | null;
}
/** `open`: the route asks nothing of its caller, and may send any to another page. */
export type Expectation = Expected | Allowed | 'open';

const ALLOWED: Allowed = { allowed: null };

// The API: its routes and their permissions are those of its OpenAPI document.

interface Operation {
  readonly description?: string;
  readonly security?: readonly unknown[];
}
const { paths } = openApiDocument({ serverUrl: API_PATH }) as { paths: Record<string, Record<string, Operation>> };
const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${API_PATH}${path}`,
      operation,
    ]),
  ),
);
export const API_ROUTES = [...OPERATIONS.keys()];

const PERMISSIONS: Readonly<Record<KeyName, readonly string[]>> = {
  create: ['verifications:create'],
  read: ['verifications:read'],
  all: ['*'],
  revoked: [],
  expired: [],
  'other client': ['*'],
  'no subscription': ['*'],
};

/** What an operation of the API must answer. */
export function apiExpectation(caller: Caller, method: string, template: string): Expectation {
  const { security, description = '' } = OPERATIONS.get(`${method} ${template}`) ?? {};
  if (security?.length === 0) return 'open';
  if (caller.kind !== 'key') return apiError('API_KEY_REQUIRED');
  if (caller.name === 'unknown') return apiError('INVALID_API_KEY');
  if (caller.name === 'revoked') return apiError('API_KEY_REVOKED');
  if (caller.name === 'expired') return apiError('API_KEY_EXPIRED');
  const needed = /permission `([^`]+)`/.exec(description)?.[1] ?? 'a permission that no key has';
  const permissions = PERMISSIONS[caller.name];
  if (!permissions.includes('*') && !permissions.includes(needed)) return apiError('INSUFFICIENT_PERMISSIONS');
  const isOwn = !['other client', 'no subscription'].includes(caller.name);
  return isOwn || !template.includes('{id}') ? ALLOWED : apiError('VERIFICATION_NOT_FOUND');
}

function apiError(code: keyof typeof ERRORS): Expected {
  const { status, message } = ERRORS[code];
  return { status, code, text: message, line: null };
}

export interface Visit {
  readonly caller: Caller;
  readonly session: StaffSession | null;
}
export interface Asked {
  readonly method: string;
  readonly template: string;
}

/** What a route of the pages must answer to a visit. */
export function pageExpectation(world: World, visit: Visit, asked: Asked): Expectation {
  const guard = GUARDS.get(`${asked.method} ${asked.template}`);
  if (guard === undefined) throw new Error(`${asked.method} ${asked.template} has no guard`);
  switch (guard.kind) {
    case 'public':
      return 'open';
    case 'signed_in':
      if (visit.session !== null) return ALLOWED;
      return {
        status: 303,
        location: '/account/sign-in',
        line: isPost(asked) ? refusedBy(asked, 'no_session') : null,
      };
    case 'link':
      return linkExpectation(visit.caller);
    case 'copy_link':
      return { status: 404, text: text('exports', 'download.ended.title'), line: null };
    case 'hand_over':
      return { status: 410, text: text('verify', 'trouble.codeExpired.title'), line: null };
    case 'subject':
      return subjectExpectation(visit.caller);
    case 'area':
      return areaExpectation(world, visit, asked, guard);
    default:
      return guard satisfies never;
  }
}

function linkExpectation(caller: Caller): Expectation {
  if (caller.kind !== 'subject') return { status: 404, text: text('verify', 'trouble.invalid.title'), line: null };
  if (caller.name === 'expired') return { status: 410, text: text('verify', 'trouble.expired.title'), line: null };
  return { status: 303, location: '/verify/', line: null };
}

/** Another verification's cookie is not even sent by a browser, and is refused if it is. */
function subjectExpectation(caller: Caller): Expectation {
  if (caller.kind === 'subject' && caller.name === 'current') return ALLOWED;
  return { status: 403, text: text('verify', 'trouble.noSession.title'), line: null };
}

function areaExpectation(
  world: World,
  { session }: Visit,
  asked: Asked,
  { area, action }: Guard & { readonly kind: 'area' },
): Expectation {
  const mayChange = isPost(asked);
  if (session === null) {
    return {
      status: 303,
      location: '/account/sign-in?returnTo=',
      line: mayChange ? refusedBy(asked, 'no_session') : null,
    };
  }
  if (!AREAS[area].includes(session.user.role)) {
    return { status: 403, text: text(area, 'gate.forbiddenTitle'), line: refusedBy(asked, 'role') };
  }
  if (lacksSecondFactor(session, { required: true })) {
    const line = mayChange ? refusedBy(asked, 'second_factor_needed') : null;
    return { status: 303, location: '/account/security?needed=1', line };
  }
  if (action === null) return ALLOWED;
  if (!isAllowed(session, action)) {
    // Pages with a form check before they load anything, the others run their action.
    const line = {
      outcome: 'refused',
      action: expect.toSatisfy((id) => [action.id, 'page.request'].includes(String(id))),
      detail: expect.objectContaining({ code: 'NOT_ALLOWED' }),
    };
    return { status: 403, text: text('staff', 'notAllowed.title'), line };
  }
  const isForeign = session.user.id === 'foreign' && asked.template.includes('{');
  if (world.may(session, action) === 'after_confirmation') return confirmation(action, mayChange);
  return isForeign
    ? { status: 404, text: text('site', 'errors.404.title') }
    : { allowed: mayChange ? action : null };
}

/** Whether the repeated table, not the catalogue, allows the action to the user's role. */
function isAllowed({ user }: StaffSession, { id }: ActionEntry): boolean {
  const [callers = []] = RIGHTS[id] ?? [];
  return callers.some((caller) => caller === (user.teamRole ?? user.role));
}

const isPost = ({ method }: Asked): boolean => method === 'POST';

/** The line of a request that was refused before it reached an action. */
function refusedBy({ method, template }: Asked, reason: string): object {
  const detail = { reason, method, path: template, code: 'NOT_ALLOWED' };
  return { action: 'page.request', outcome: 'refused', detail };
}

function confirmation({ id }: ActionEntry, mayChange: boolean): Expected {
  const refused = {
    action: id,
    outcome: 'refused',
    detail: expect.objectContaining({ code: 'CONFIRMATION_NEEDED' }),
  };
  return { status: 303, location: '/account/confirm?returnTo=', line: mayChange ? refused : null };
}

/** Reads a text of the pages. */
function text(file: string, key: string): string {
  const texts: unknown = JSON.parse(
    readFileSync(new URL(`../../packages/web/src/locales/en/${file}.json`, import.meta.url), 'utf8'),
  );
  return String(key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], texts));
}
