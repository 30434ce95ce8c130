import { closable, mapPorts, type Storage } from '@countersign/domain/storage';

type Operation = (...input: readonly unknown[]) => Promise<unknown>;

/**
 * Makes a sound storage slow: each operation takes place some time after its call and is answered some time
 * later, so that operations overtake one another as with a pool of connections. The kit must not
 * fail such a storage.
 */
export function slowStorage(storage: Storage): Storage {
  let seed = 1;

  async function someTime(): Promise<void> {
    seed = (seed * 48_271) % 2_147_483_647;
    for (let turn = seed % 50; turn > 0; turn -= 1) await Promise.resolve();
  }

  async function slowly(operation: Operation, input: readonly unknown[]): Promise<unknown> {
    await someTime();
    try {
      return await operation(...input);
    } finally {
      await someTime();
    }
  }

  const slow =
    (operation: Operation): Operation =>
    (...input) =>
      slowly(operation, structuredClone(input));

  const slowPort = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries<Operation>(port as Record<string, Operation>).map(([name, operation]) => [
        name,
        slow(operation),
      ]),
    ) as P;

  return closable({
    ...mapPorts(storage, slowPort),
    ping: () => storage.ping(),
    close: () => storage.close(),
  });
}
