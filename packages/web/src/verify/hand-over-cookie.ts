import { HAND_OVER_WINDOW_MS, type HandOver } from '@countersign/domain';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Site } from '../site/site.ts';
import { PHONE, verifyPath } from './navigation.ts';
import type { VerifyEnv } from './session.ts';

const COOKIE = 'hand-over';

/** Keeps a code for the page that shows it: it is stored as a hash alone. Only a browser with a session gets one. */
export function keepCode(context: Context<VerifyEnv>, site: Site, { code }: HandOver): void {
  setCookie(context, COOKIE, code, {
    path: site.basePath + verifyPath(context.get('verification'), PHONE),
    // Longer than the code works, so that its page can say that it ended.
    maxAge: HAND_OVER_WINDOW_MS / 1_000,
    httpOnly: true,
    sameSite: 'Lax',
    secure: site.secure,
  });
}

/**
 * Returns the code that this browser shows. `replaced`: another device got a later one, or the code ended long ago. Null before the
 * first.
 * @throws CountersignError `LINK_INVALID`, `LINK_EXPIRED`
 */
export async function keptCode(
  context: Context<VerifyEnv>,
  { options: { countersign } }: Site,
): Promise<HandOver | 'replaced' | null> {
  const code = getCookie(context, COOKIE) ?? '';
  if (code === '') return null;
  return (await countersign.subject.handOverOf(context.get('access'), code)) ?? 'replaced';
}
