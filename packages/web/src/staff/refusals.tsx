import { type As, isCountersignError } from '@countersign/domain';
import type { User } from '@countersign/domain/staff';
import type { Context, ErrorHandler } from 'hono';
import { DeadEnd } from '../parts/blocks.tsx';
import { PageError } from '../site/errors.ts';
import { answerPage } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import { wantedTemplate } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { homeOf, redirectTo, SignOutForm, type StaffEnv } from './area.tsx';

/** Why a page or a form was refused before it reached an action. */
export type RefusalReason =
  | 'no_session'
  | 'role'
  | 'second_factor_needed'
  | 'forged_origin'
  | 'form_not_read'
  | 'form_incomplete';

/** Reasons that are about the form, not about who sent it. */
const FORM_REASONS: readonly RefusalReason[] = ['form_not_read', 'form_incomplete'];

/** Records a refusal in the audit log. Never rejects: the refusal stands. */
export function recordRefusal(context: Context, as: As, reason: RefusalReason): Promise<void> {
  const code = FORM_REASONS.includes(reason) ? 'INVALID_PARAMETERS' : 'NOT_ALLOWED';
  const detail = { path: wantedTemplate(context), method: context.req.method, reason, code };
  return as.recordRefusal({ action: 'page.request', detail });
}

/** Answers 403 with a link to the user's own area. */
export async function answerForbidden(
  context: Context<StaffEnv>,
  { options: { signIn } }: Site,
  user: User,
  texts: { readonly title: MessageKey; readonly text: MessageKey },
): Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t(texts.title);
  return answerPage(
    context,
    { title, status: 403, frame: await page.area?.frame(title) },
    <DeadEnd page={page} title={title} text={t(texts.text, { name: user.name })}>
      <div class="buttons">
        <a href={href(homeOf(user))} class="button">
          {t('staff:forbidden.home')}
        </a>
        <SignOutForm page={page} path={signIn.signOutPath} />
      </div>
    </DeadEnd>,
  );
}

/** Answers 403 to a user whose role does not include an action. */
export function answerNotAllowed(context: Context<StaffEnv>): Response | Promise<Response> {
  const texts = { title: 'staff:notAllowed.title', text: 'staff:notAllowed.text' } as const;
  return answerForbidden(context, context.get('site'), context.get('user'), texts);
}

/** Redirects to the page where users confirm their password, and from there back. */
export function toConfirm(context: Context<StaffEnv>): Response {
  const { returnPath } = context.get('page');
  const { confirmPath } = context.get('site').options.signIn;
  return redirectTo(context, `${confirmPath}?returnTo=${encodeURIComponent(returnPath)}`);
}

/** Answers refusals that a page has no text for: 403, confirmation, 404, 429. Everything else is a fault. */
export const answerRefusals: ErrorHandler<StaffEnv> = (error, context) => {
  if (!isCountersignError(error)) throw error;
  switch (error.code) {
    case 'NOT_ALLOWED':
      return answerNotAllowed(context);
    case 'CONFIRMATION_NEEDED':
      return toConfirm(context);
    // Another client's object and an unknown one get the same 404.
    case 'API_KEY_NOT_FOUND':
    case 'CLIENT_NOT_FOUND':
    case 'FILE_NOT_FOUND':
    case 'USER_NOT_FOUND':
    case 'VERIFICATION_NOT_FOUND':
    case 'WEBHOOK_DELIVERY_NOT_FOUND':
    case 'WEBHOOK_ENDPOINT_NOT_FOUND':
      throw new PageError(404, {}, 404, { cause: error });
    case 'RATE_LIMIT_EXCEEDED':
      throw new PageError(429);
    default:
      throw error;
  }
};
