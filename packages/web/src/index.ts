export type { WebOptions } from './site/web-options.ts';
export { createWeb } from './web.tsx';
