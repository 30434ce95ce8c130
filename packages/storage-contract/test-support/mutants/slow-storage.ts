import type { Storage } from '@countersign/domain';

type Ports = 'verifications' | 'apiKeys' | 'clients' | 'outbox' | 'dataKeys' | 'audit';
type Operation = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * Not broken, but far away: each operation takes place at once, some time after it was asked for, and is answered
 * some time after that, so operations overtake one another as they do with a pool of connections. The kit must not
 * ask for more than a storage like this can give.
 */
export function slowStorage(storage: Storage): Storage {
  const underWay = new Set<Promise<unknown>>();
  let seed = 1;

  async function someTime(): Promise<void> {
    seed = (seed * 48_271) % 2_147_483_647;
    for (let turn = seed % 50; turn > 0; turn -= 1) await Promise.resolve();
  }

  async function slowly(operation: Operation, given: readonly unknown[]): Promise<unknown> {
    await someTime();
    try {
      return await operation(...given);
    } finally {
      await someTime();
    }
  }

  const slow =
    (operation: Operation): Operation =>
    (...given) => {
      const answer = slowly(operation, structuredClone(given));
      underWay.add(answer);
      return answer;
    };

  const slowPort = <P extends Ports>(port: P): Storage[P] =>
    Object.fromEntries(
      Object.entries<Operation>(storage[port] as unknown as Record<string, Operation>).map(([name, operation]) => [
        name,
        slow(operation),
      ]),
    ) as unknown as Storage[P];

  return {
    verifications: slowPort('verifications'),
    apiKeys: slowPort('apiKeys'),
    clients: slowPort('clients'),
    outbox: slowPort('outbox'),
    dataKeys: slowPort('dataKeys'),
    audit: slowPort('audit'),
    ping: () => storage.ping(),
    close: async () => {
      await Promise.allSettled(underWay);
      await storage.close();
    },
  };
}
