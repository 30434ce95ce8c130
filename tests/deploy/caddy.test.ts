// Starts Caddy with its sample settings in front of servers.
import { proxyCases } from './proxy-cases.ts';
import { CADDY } from './proxy-samples.ts';

proxyCases(CADDY);
