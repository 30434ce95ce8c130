import type { Context } from 'hono';
import { createFormValues } from '../forms/form-values.ts';
import { type KeptForm, keepForm, takeKeptForm } from '../forms/kept-form.ts';
import type { Site } from '../site/site.ts';
import type { VerifyEnv } from './session.ts';

/** Keeps a form of the flow for its page, and redirects there. Null if it is answered directly. */
export function keep(
  context: Context<VerifyEnv>,
  site: Site,
  { values = createFormValues([]), errors }: Pick<KeptForm, 'errors'> & Partial<KeptForm>,
): Response | null {
  const { search } = new URL(context.req.url);
  return keepForm(context, site, { values, errors }, { query: search, owner: ownerOf(context) });
}

/** Returns the form to show again on the requested page, once; null without one. */
export function takeKept(context: Context<VerifyEnv>, site: Site): KeptForm | null {
  return takeKeptForm(context, site, { owner: ownerOf(context) });
}

/** The link that the browser opened. */
function ownerOf(context: Context<VerifyEnv>): string {
  return `link ${context.get('access').linkVersion}`;
}
