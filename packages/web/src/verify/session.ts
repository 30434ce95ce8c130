import { SUBJECT_SESSION_IDLE_MS, type SubjectAccess, type Verification } from '@countersign/domain';
import type { FlowAsks } from '@countersign/domain/flows';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { withAppearance } from '../site/appearance.ts';
import { requireAllowed } from '../site/errors.ts';
import { chosenLanguage, knownLanguage } from '../site/language.ts';
import { inLanguage, type Page, type WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { type Shown, verifyPath } from './navigation.ts';

/** The context of every page of a verification, as `requireSession` fills it. */
export interface VerifyEnv {
  Variables: WebEnv['Variables'] & {
    /** The argument of `countersign.subject`. */
    access: SubjectAccess;
    /** The verification as it was when the request began. */
    verification: Verification;
    /** What the client asks its subjects for now. */
    asks: FlowAsks;
  };
}

/** Returns the verification and what the client asks for, as they were when the request began. */
export function shownIn(context: Context<VerifyEnv>): Shown {
  return { verification: context.get('verification'), asks: context.get('asks') };
}

const COOKIE = 'verification';
/** The cookie is renewed at most this often. */
const RENEWED_AFTER_MS = 10 * 60 * 1_000;

/**
 * Lets in only the browser that opened the link of this verification. Counts requests with a session by verification,
 * those without by address.
 * @throws SessionNeeded, PageError 429, CountersignError `LINK_INVALID`, `LINK_EXPIRED`
 */
export function requireSession(site: Site): MiddlewareHandler<VerifyEnv, '/:id'> {
  const { countersign, clock, clientAddress } = site.options;
  const { rateLimits, subject } = countersign;
  return async (context, next) => {
    const id = context.req.param('id');
    const access = readSession(context, site, id);
    const decision =
      access === null
        ? rateLimits.forInvalidLink(clientAddress(context))
        : rateLimits.forSubject(access.verificationId);
    requireAllowed(await decision, clock.now());
    if (access === null) throw new SessionNeeded();
    context.set('access', access);
    const verification = await subject.read(access);
    context.set('verification', verification);
    context.set('asks', await subject.asksOf(verification));
    context.set('page', pageFor(context, site, verification));
    await next();
  };
}

/** Returns the page with the client's appearance, and in the language that the client asked for, unless the subject chose one. */
export function pageFor(
  context: Context<WebEnv> | Context<VerifyEnv>,
  { options }: Site,
  { clientId, locale }: Verification,
): Page {
  const page = withAppearance((context as Context<WebEnv>).get('page'), () =>
    options.countersign.appearances.shown(clientId),
  );
  const language = chosenLanguage(context) === null ? knownLanguage(locale ?? undefined) : null;
  return language === null ? page : inLanguage(page, language);
}

/** Thrown when a browser without a current session asks for a page of a verification. */
export class SessionNeeded extends Error {
  override readonly name = 'SessionNeeded';

  constructor() {
    super('No session for this verification');
  }
}

/**
 * Sets the session cookie of one verification. Its path limits it to the pages of that verification. It holds the version
 * of the opened link, so it ends with the link.
 */
export function beginSession(context: Context, site: Site, access: SubjectAccess): void {
  const { secrets, clock } = site.options;
  const begun = clock.now().getTime();
  const signature = secrets.sign(signedText(access, begun));
  setCookie(context, COOKIE, `${access.linkVersion}.${begun}.${signature}`, {
    path: site.basePath + verifyPath({ id: access.verificationId }),
    maxAge: SUBJECT_SESSION_IDLE_MS / 1_000,
    httpOnly: true,
    // Not Strict: the link is opened from a mail, and the redirect after it needs the cookie.
    sameSite: 'Lax',
    secure: site.secure,
  });
}

/** Returns the access of the request's session; null if it is absent, forged or too old. */
function readSession(context: Context, site: Site, verificationId: string): SubjectAccess | null {
  const { secrets, clock } = site.options;
  const parts = /^(\d{1,9})\.(\d{1,15})\.([\w-]{1,200})$/.exec(getCookie(context, COOKIE) ?? '');
  if (parts === null) return null;
  const [, version, begunText, signature = ''] = parts;
  const access = { verificationId, linkVersion: Number(version) };
  const begun = Number(begunText);
  if (!secrets.verify(signedText(access, begun), signature)) return null;
  const age = clock.now().getTime() - begun;
  if (age >= SUBJECT_SESSION_IDLE_MS) return null;
  if (age >= RENEWED_AFTER_MS) beginSession(context, site, access);
  return access;
}

/** Begins with its purpose, so that no other text signed with the same secret is valid here. */
function signedText({ verificationId, linkVersion }: SubjectAccess, begun: number): string {
  return `subject session\n${verificationId}\n${linkVersion}\n${begun}`;
}
