import type { DashboardRight } from '@countersign/domain';
import type { MiddlewareHandler } from 'hono';
import type { Site } from '../site/site.ts';
import { answerForbidden } from '../staff/forbidden-page.tsx';
import { noteRefusal } from '../staff/note-refusal.ts';
import type { StaffEnv } from '../staff/staff-env.ts';

/**
 * For pages that would not ask the desk themselves, such as an empty form: says at once, and records, that they are not
 * for whoever asks. What a form does is refused by the desk all the same.
 */
export function requireRight(site: Site, right: DashboardRight): MiddlewareHandler<StaffEnv> {
  return async (context, next) => {
    const desks = context.get('desks');
    if (!desks.dashboard.may(right)) {
      await noteRefusal(context, desks, 'role');
      return answerForbidden(context, site, context.get('user'), {
        title: 'staff:notAllowed.title',
        text: 'staff:notAllowed.text',
      });
    }
    await next();
    return;
  };
}
