import {
  type ProxyPorts,
  type ReverseProxy,
  startCaddy,
  startHaproxy,
  startNginx,
} from '@countersign/test-support/servers';

interface Listening {
  readonly port: number;
}

/** A proxy with its sample. */
export interface ProxySample {
  /** Its program. */
  readonly kind: 'nginx' | 'caddy' | 'haproxy';
  start(servers: readonly [Listening, Listening], ports: ProxyPorts): Promise<ReverseProxy>;
  /** Matches its answer to a request that is too large for it. */
  readonly tooLarge: RegExp;
  /** Where it redirects plain HTTP to. */
  redirect(proxy: ReverseProxy): { readonly status: number; readonly origin: string };
  /** Matches the first line of what a client that sends too slowly receives before the connection ends. */
  readonly tooSlow: RegExp;
  /** Whether it logs its requests. */
  readonly hasAccessLog: boolean;
}

export const NGINX: ProxySample = {
  kind: 'nginx',
  start: startNginx,
  tooLarge: /nginx/,
  tooSlow: /^HTTP\/1\.1 408 /,
  redirect: ({ origin }) => ({ status: 301, origin }),
  hasAccessLog: true,
};

export const CADDY: ProxySample = {
  kind: 'caddy',
  start: startCaddy,
  tooLarge: /^$/,
  // Caddy reads the rest of a request before it passes on an answer. On a busy machine, its own limit may pass first.
  tooSlow: /^(?:HTTP\/1\.1 (?:408|504) .*)?$/,
  // Without the port, which only the tests change.
  redirect: () => ({ status: 308, origin: 'https://localhost' }),
  hasAccessLog: false,
};

export const HAPROXY: ProxySample = {
  kind: 'haproxy',
  start: startHaproxy,
  tooLarge: /413/,
  tooSlow: /^HTTP\/1\.1 408 /,
  redirect: ({ origin }) => ({ status: 301, origin }),
  hasAccessLog: true,
};
