import type { Page } from './page.ts';

/** What the middleware leaves in the context of every request. */
export interface WebEnv {
  Variables: { page: Page };
}
