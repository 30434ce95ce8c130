import { startHaproxy } from '@countersign/test-support/servers';
import { proxyCases } from './proxy-cases.ts';

proxyCases({
  kind: 'haproxy',
  start: startHaproxy,
  tooLarge: /413/,
  tooSlow: /^HTTP\/1\.1 408 /,
  redirect: ({ origin }) => ({ status: 301, origin }),
  hasAccessLog: true,
});
