import { isCountersignError } from '@countersign/domain';
import type { ErrorHandler } from 'hono';
import { PageError } from '../site/errors.tsx';
import type { Site } from '../site/site.ts';
import { toConfirm } from './confirmed.ts';
import { answerForbidden } from './forbidden-page.tsx';
import type { StaffEnv } from './staff-env.ts';

/** Answers refusals that a page has no text for: 403, confirmation, 404, 429. Everything else is a fault. */
export function domainErrors(site: Site): ErrorHandler<StaffEnv> {
  return (error, context) => {
    if (!isCountersignError(error)) throw error;
    switch (error.code) {
      case 'NOT_ALLOWED':
        return answerForbidden(context, site, context.get('user'), {
          title: 'staff:notAllowed.title',
          text: 'staff:notAllowed.text',
        });
      case 'CONFIRMATION_NEEDED':
        return toConfirm(context, site);
      // Another client's object and an unknown one get the same 404.
      case 'API_KEY_NOT_FOUND':
      case 'CLIENT_NOT_FOUND':
      case 'FILE_NOT_FOUND':
      case 'USER_NOT_FOUND':
      case 'VERIFICATION_NOT_FOUND':
        throw new PageError(404);
      case 'RATE_LIMIT_EXCEEDED':
        throw new PageError(429);
      default:
        throw error;
    }
  };
}
