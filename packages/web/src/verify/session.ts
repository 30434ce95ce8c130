import type { SubjectAccess } from '@countersign/domain';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Site } from '../site/site.ts';
import { verifyPath } from './navigation.ts';

const COOKIE = 'verification';
const HOUR_MS = 60 * 60 * 1000;
/** A phone that was laid aside for so long must show the link again. */
const ABSENCE_MAX_MS = 8 * HOUR_MS;
/** Written anew at most so often. */
const RENEWED_AFTER_MS = HOUR_MS / 6;

/**
 * Gives the browser a session for one verification. The cookie is sent to the pages of this verification alone; it
 * says which version of the link was opened, so that it ends with the link.
 */
export function beginSession(context: Context, site: Site, access: SubjectAccess): void {
  const { secrets, clock } = site.options;
  const begun = clock.now().getTime();
  const signature = secrets.sign(signedText(access, begun));
  setCookie(context, COOKIE, `${access.linkVersion}.${begun}.${signature}`, {
    path: site.basePath + verifyPath({ id: access.verificationId }),
    maxAge: ABSENCE_MAX_MS / 1000,
    httpOnly: true,
    // Not Strict: the link is opened from a mail, and the redirect after it needs the cookie.
    sameSite: 'Lax',
    secure: site.secure,
  });
}

/** What the session of a request grants; null without one, with a forged one, or after 8 hours of absence. */
export function readSession(context: Context, site: Site, verificationId: string): SubjectAccess | null {
  const { secrets, clock } = site.options;
  const parts = /^(\d{1,9})\.(\d{1,15})\.([\w-]{1,200})$/.exec(getCookie(context, COOKIE) ?? '');
  if (parts === null) return null;
  const [, version, begunText, signature = ''] = parts;
  const access = { verificationId, linkVersion: Number(version) };
  const begun = Number(begunText);
  if (!secrets.verify(signedText(access, begun), signature)) return null;
  const age = clock.now().getTime() - begun;
  if (age >= ABSENCE_MAX_MS) return null;
  if (age >= RENEWED_AFTER_MS) beginSession(context, site, access);
  return access;
}

/** Says what it is for, so that no other text that is signed with the same secret can be taken for it. */
function signedText({ verificationId, linkVersion }: SubjectAccess, begun: number): string {
  return `subject session\n${verificationId}\n${linkVersion}\n${begun}`;
}
