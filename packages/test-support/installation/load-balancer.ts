import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from '../processes/end-of-file.ts';
import type { ServerProcess } from '../processes/server-process.ts';

/** Sends each request to the next instance, without sticky sessions. */
export interface LoadBalancer {
  /** The PUBLIC_BASE_URL of all instances. */
  readonly origin: string;
  /** Sets the instances. Requests before this call fail. */
  spreadOver(instances: readonly Pick<ServerProcess, 'host' | 'port'>[]): void;
}

const running: Server[] = [];

atEndOfFile(() => {
  for (const server of running.splice(0)) server.close().closeAllConnections();
});

/** Starts a load balancer that stops at the end of the test file. */
export async function startLoadBalancer(): Promise<LoadBalancer> {
  let instances: readonly Pick<ServerProcess, 'host' | 'port'>[] = [];
  let turn = 0;

  const server = createServer((incoming, answer) => {
    const instance = instances[turn++ % instances.length];
    const { method, url: path, headers } = incoming;
    // A new connection for each request: a kept one can be closed at the moment in which it is used again.
    const onward = request({ ...instance, method, path, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    // The browser then reports a broken connection and the test fails.
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  // Clients close their idle connections. Closing them here would meet requests on a busy machine.
  server.keepAliveTimeout = 0;
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://localhost:${port}`,
    spreadOver(targets) {
      instances = targets.map(({ host, port: at }) => ({ host, port: at }));
    },
  };
}
