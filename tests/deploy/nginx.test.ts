// Starts nginx with its sample settings in front of servers.
import { startNginx } from '@countersign/test-support/servers';
import { proxyCases } from './proxy-cases.ts';

proxyCases({
  kind: 'nginx',
  start: startNginx,
  tooLarge: /nginx/,
  tooSlow: /^HTTP\/1\.1 408 /,
  redirect: ({ origin }) => ({ status: 301, origin }),
  hasAccessLog: true,
});
