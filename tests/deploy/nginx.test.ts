// Starts nginx with its sample settings in front of servers.
import { proxyCases } from './proxy-cases.ts';
import { NGINX } from './proxy-samples.ts';

proxyCases(NGINX);
