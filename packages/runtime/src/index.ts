export { createNodeSecrets } from './node-secrets.ts';
export { createSystemClock } from './system-clock.ts';
export { createUuidIds } from './uuid-ids.ts';
