import type { ActionEntry } from '@countersign/domain';
import type { MiddlewareHandler } from 'hono';
import type { Site } from '../site/site.ts';
import { answerForbidden } from '../staff/forbidden-page.tsx';
import { noteRefusal } from '../staff/note-refusal.ts';
import type { StaffEnv } from '../staff/staff-env.ts';

/** Refuses and records requests for the page of an action that the user may not run, such as an empty form. */
export function requireAction(site: Site, action: ActionEntry): MiddlewareHandler<StaffEnv> {
  return async (context, next) => {
    const as = context.get('as');
    if (as.may(action) === 'no') {
      await noteRefusal(context, as, 'role');
      return answerForbidden(context, site, context.get('user'), {
        title: 'staff:notAllowed.title',
        text: 'staff:notAllowed.text',
      });
    }
    await next();
    return;
  };
}
