import type { SignInOutcome } from '@countersign/domain';
import type { Context } from 'hono';
import type { WebEnv } from '../site/page.ts';
import {
  ACCOUNT_PATH,
  leave,
  type Refusal,
  refused,
  SECOND_FACTOR_PATH,
  throttled,
  withReturn,
} from './account-site.ts';

/** How a sign-in form continues. */
interface SignInForm {
  /** Path to redirect to; null for the user's area. */
  readonly returnTo: string | null;
  /** The field that a refusal marks. */
  readonly field: string;
  readonly refusedText: string;
  readonly again: (refusal: Refusal) => Response | Promise<Response>;
}

/** Redirects after a sign-in attempt: to the requested page, to the second factor, or back to the form. */
export function afterSignIn(
  context: Context<WebEnv>,
  outcome: SignInOutcome,
  { returnTo, field, refusedText, again }: SignInForm,
): Response | Promise<Response> {
  switch (outcome.outcome) {
    case 'signed_in':
      return leave(context, returnTo ?? ACCOUNT_PATH, outcome);
    case 'second_factor_needed':
      return leave(context, withReturn(SECOND_FACTOR_PATH, returnTo), outcome);
    case 'refused':
      return again(refused(field, refusedText));
    case 'throttled':
      return again(throttled(field, outcome, context.get('page')));
    default:
      return outcome satisfies never;
  }
}
