import type { Context } from 'hono';
import { createFormValues } from '../forms/form-values.ts';
import { type KeptForm, keepForm, takeKeptForm } from '../forms/kept-form.ts';
import type { Site } from '../site/site.ts';
import type { VerifyEnv } from './session.ts';

/**
 * Keeps a form of the flow for its page, and redirects there. Null if it is answered directly.
 * @param path of another page of the flow that shows it
 */
export function keep(
  context: Context<VerifyEnv>,
  site: Site,
  { values = createFormValues([]), errors }: Pick<KeptForm, 'errors'> & Partial<KeptForm>,
  path?: string,
): Response | null {
  const query = path === undefined ? new URL(context.req.url).search : '';
  const at = path === undefined ? {} : { path };
  return keepForm(context, site, { values, errors }, { ...at, query, owner: ownerOf(context) });
}

/** Returns the form to show again on the requested page, once; null without one. */
export function takeKept(context: Context<VerifyEnv>, site: Site): KeptForm | null {
  return takeKeptForm(context, site, { owner: ownerOf(context) });
}

/** The link that the browser opened. */
function ownerOf(context: Context<VerifyEnv>): string {
  return `link ${context.get('access').linkVersion}`;
}
