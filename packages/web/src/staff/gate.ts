import type { As, Caller } from '@countersign/domain';
import type { ClientMode } from '@countersign/domain/clients';
import { lacksSecondFactor, type StaffSession } from '@countersign/domain/staff';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { PageError, requireAllowed } from '../site/errors.ts';
import { isSafe } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { enterArea, mayEnter, redirectTo, type StaffArea, type StaffEnv } from './area.tsx';
import { answerForbidden, answerRefusals, recordRefusal } from './refusals.tsx';

/** The sender of a request. */
export interface StaffVisitor {
  /** Null for anonymous visitors. */
  readonly session: StaffSession | null;
  /** Runs actions as the visitor. */
  readonly as: As;
}

/** Identifies the sender of a request by its cookies. */
export async function visitorOf(
  context: Context,
  { options: { signIn, countersign, clientAddress } }: Site,
  mode: ClientMode = 'live',
): Promise<StaffVisitor> {
  const from = clientAddress(context);
  const session = await signIn.identify(context.req.header('Cookie'));
  const caller: Caller = session === null ? { kind: 'anonymous', from } : { kind: 'user', session, from, mode };
  return { session, as: countersign.as(caller) };
}

/**
 * Counts a request of a signed-in user, in all of their sessions together.
 * @throws PageError 429 with `Retry-After` if the user's limit is reached
 */
export async function countRequest(
  { user }: StaffSession,
  { options: { countersign, clock } }: Pick<Site, 'options'>,
): Promise<void> {
  requireAllowed(await countersign.rateLimits.forUser(user.id), clock.now());
}

/**
 * Begins an upload of a user. They are counted by user, as those of subjects are by verification.
 * @returns a function to call when the upload has ended
 * @throws CountersignError `TOO_MANY_UPLOADS`, PageError 429
 */
export async function beginUpload(
  { user }: StaffSession,
  { options: { countersign, clock } }: Pick<Site, 'options'>,
): Promise<() => void> {
  const end = countersign.rateLimits.beginUpload(user.id);
  try {
    requireAllowed(await countersign.rateLimits.forUpload(user.id), clock.now());
    return end;
  } catch (error) {
    end();
    throw error;
  }
}

/** Records a form that was not sent from a page of this service. */
export async function recordForgedOrigin(context: Context, site: Site): Promise<void> {
  const { as } = await visitorOf(context, site);
  await recordRefusal(context, as, 'forged_origin');
}

/** Makes the routes of an area, behind its gate. */
export function areaRoutes(site: Site, area: StaffArea): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.onError(answerRefusals);
  routes.use(gate(site, area));
  return routes;
}

/**
 * Lets in users who may do something in the area. Redirects anonymous visitors to sign-in and back, answers 429 above the
 * user's request limit, 403 to other users, and redirects sessions that lack a required second factor to its setup.
 * Refusals are recorded in the audit log, except for the limit and for a page that only needs a sign-in or a second
 * factor first.
 */
function gate(site: Site, area: StaffArea): MiddlewareHandler<StaffEnv> {
  const { name, mode = 'live' } = area;
  return async (context, next) => {
    const { session, as } = await visitorOf(context, site, mode);
    const mayChange = !isSafe(context.req.method);
    if (session === null) {
      if (mayChange) await recordRefusal(context, as, 'no_session');
      return toSignIn(context, site, area);
    }
    await countRequest(session, site);
    if (!mayEnter(as, area)) {
      await recordRefusal(context, as, 'role');
      const texts = { title: `${name}:gate.forbiddenTitle`, text: `${name}:gate.forbiddenText` } as const;
      return answerForbidden(context, site, session.user, texts);
    }
    if (lacksSecondFactor(session, { required: site.options.requireSecondFactor ?? false })) {
      if (mayChange) await recordRefusal(context, as, 'second_factor_needed');
      return toSecondFactor(context, site, session);
    }
    enterArea(context, site, area, { session, as });
    await next();
    if (mayChange && isNotRead(context.error)) await recordRefusal(context, as, 'form_not_read');
    return;
  };
}

/** Whether the form was too large or not a form, so that no action has seen it. */
export function isNotRead(error: unknown): boolean {
  return error instanceof PageError && (error.status === 413 || error.status === 415);
}

function toSignIn(context: Context<StaffEnv>, { options }: Site, { pageOfForm }: StaffArea): Response {
  const { path, returnPath } = context.get('page');
  const wanted = isSafe(context.req.method) ? returnPath : (pageOfForm?.(path) ?? path);
  return redirectTo(context, `${options.signIn.signInPath}?returnTo=${encodeURIComponent(wanted)}`);
}

function toSecondFactor(
  context: Context<StaffEnv>,
  site: Site,
  { user }: StaffSession,
): Response | Promise<Response> {
  if (site.options.accounts !== undefined) return redirectTo(context, '/account/security?needed=1');
  const texts = { title: 'staff:secondFactor.title', text: 'staff:secondFactor.text' } as const;
  return answerForbidden(context, site, user, texts);
}
