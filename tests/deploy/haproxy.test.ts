// Starts HAProxy with its sample settings in front of servers that stop and start.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, proxyPorts, startHaproxy } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { proxyCases } from './proxy-cases.ts';
import { HAPROXY } from './proxy-samples.ts';

proxyCases(HAPROXY);

/** Servers answer `/readyz` within 1.5 s, also when they are busy. */
const READY_AFTER_MS = 1_300;

describeWith(['haproxy'], 'the sample of haproxy', () => {
  it('keeps servers in use that take more than a second to say that they are ready', async () => {
    const [first, second] = [await startBusyServer(), await startBusyServer()];
    const ports = await proxyPorts();
    const proxy = await startHaproxy([first, second], ports);
    onTestFinished(() => proxy.stop());
    // Two failed checks take a server out of use.
    await until(() => first.checks() > 1 && second.checks() > 1);
    expect(proxy.log()).not.toMatch(/ is DOWN/);
  });
});

async function startBusyServer(): Promise<{ readonly port: number; checks(): number }> {
  let checks = 0;
  const server = createServer((_request, response) => {
    setTimeout(() => {
      checks += 1;
      response.end('{"status":"ready"}');
    }, READY_AFTER_MS);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, checks: () => checks };
}
