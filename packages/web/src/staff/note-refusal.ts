import type { As } from '@countersign/domain';
import type { Context } from 'hono';
import { wantedTemplate } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { visitorOf } from './visitor.ts';

/** Why a page or a form was refused before it came to an operation. */
export type RefusalReason = 'no_session' | 'role' | 'second_factor_needed' | 'forged_origin' | 'form_not_read';

/** Records it in the audit log. Where that fails the refusal stands, and the fault is told. */
export function noteRefusal(context: Context, as: As, reason: RefusalReason): Promise<void> {
  const code = reason === 'form_not_read' ? 'INVALID_PARAMETERS' : 'NOT_ALLOWED';
  const detail = { path: wantedTemplate(context), method: context.req.method, reason, code };
  return as.recordRefusal({ action: 'page.request', detail });
}

/** Records a form that was not sent from a page of this service. */
export async function noteForgedOrigin(context: Context, site: Site): Promise<void> {
  const { as } = await visitorOf(context, site);
  await noteRefusal(context, as, 'forged_origin');
}
