export { createNodeSecrets } from './node-secrets.ts';
export { createNumberChecks } from './number-checks.ts';
export { createSystemClock } from './system-clock.ts';
export { createUuidIds } from './uuid-ids.ts';
