export type { WebOptions } from './site/site.ts';
export { createWeb } from './web.tsx';
