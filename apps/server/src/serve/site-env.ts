import type { HttpBindings } from '@hono/node-server';

/** What the handlers of the site find in their context: node's own objects, and the id of a request outside the API. */
export interface SiteEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string };
}
