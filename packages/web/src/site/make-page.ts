import type { Context, MiddlewareHandler } from 'hono';
import { pathBelowMount } from './base-path.ts';
import { languageOf } from './language.ts';
import { translator } from './messages.ts';
import type { Page } from './page.ts';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

/** Makes the page of each request. */
export function pagesOf(site: Site): MiddlewareHandler<WebEnv> {
  const { secrets, newRequestId = () => secrets.randomHex(REQUEST_ID_BYTES) } = site.options;
  return async (context, next) => {
    context.set('page', pageOf(site, context, newRequestId(context)));
    await next();
  };
}

const REQUEST_ID_BYTES = 12;

function pageOf(site: Site, context: Context<WebEnv>, requestId: string): Page {
  const language = languageOf(context);
  const href = (path: string) => site.basePath + path;
  return {
    language,
    t: translator(language),
    href,
    asset: (name) => href(site.assets.pathOf(name)),
    path: pathBelowMount(context),
    requestId,
  };
}
