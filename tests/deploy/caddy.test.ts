// Starts Caddy with its sample settings in front of servers.
import { startCaddy } from '@countersign/test-support/servers';
import { proxyCases } from './proxy-cases.ts';

proxyCases({
  kind: 'caddy',
  start: startCaddy,
  tooLarge: /^$/,
  // Caddy reads the rest of a request before it passes on an answer.
  tooSlow: /^(?:HTTP\/1\.1 408 .*)?$/,
  // Without the port, which only the tests change.
  redirect: () => ({ status: 308, origin: 'https://localhost' }),
  hasAccessLog: false,
});
