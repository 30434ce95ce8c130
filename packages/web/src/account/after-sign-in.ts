import type { SignInOutcome } from '@countersign/domain';
import type { Context } from 'hono';
import type { WebEnv } from '../site/web-env.ts';
import {
  ACCOUNT_PATH,
  leave,
  type Refusal,
  refused,
  SECOND_FACTOR_PATH,
  throttled,
  withReturn,
} from './account-site.ts';

/** How a form of signing in comes back. */
interface SignInForm {
  /** Where to go on to. */
  readonly returnTo: string | null;
  /** What is marked as wrong, and what is said then. */
  readonly field: string;
  readonly refusedText: string;
  readonly again: (refusal: Refusal) => Response | Promise<Response>;
}

/** Goes on after an attempt to sign in: to what was wanted, to the code, or back to the form. */
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
