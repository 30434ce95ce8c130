import type { WebOptions } from '@countersign/web';
import type { HttpBindings } from '@hono/node-server';
import type { SiteOptions } from '../serve/site.ts';

/** The pages, loaded when somebody first looks at one: a server that only answers the API does not carry them (20 MB). */
export function createLazyPages(options: () => WebOptions): SiteOptions['pages'] {
  let loading: Promise<SiteOptions['pages']> | undefined;

  async function load(): Promise<SiteOptions['pages']> {
    const { createWeb } = await import('@countersign/web');
    const web = createWeb(options());
    return (request: Request, env: HttpBindings) => web.fetch(request, env);
  }

  return async (request, env) => {
    loading ??= load();
    return (await loading)(request, env);
  };
}
