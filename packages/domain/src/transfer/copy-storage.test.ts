import { describe, expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { type GivenStorage, givenInstallation, givenStorage } from '../../test-support/transfer-storage.ts';
import { CountersignError } from '../errors.ts';
import { type CopyProgress, copyStorage } from './copy-storage.ts';

const BATCH = 3;
const copy = (from: GivenStorage, to: GivenStorage, onProgress?: (progress: CopyProgress) => void) =>
  copyStorage({ from, to, batchSize: BATCH, onProgress });

const ROWS = {
  clients: 2,
  clientFaces: 2,
  clientRetention: 2,
  usage: 2,
  verifications: 10,
  events: 10,
  exports: 2,
  handOvers: 2,
  readings: 2,
  indexKeys: 2,
  indexedVerifications: 2,
  indexEntries: 2,
  mails: 2,
  mailBudgets: 2,
  webhookEndpoints: 2,
  webhookDeliveries: 2,
  webhookAttempts: 2,
  erasures: 2,
  erasureLogs: 1,
  retentionRuns: 1,
  audit: 4,
  apiKeys: 2,
};

describe('a copy into an empty storage', () => {
  it('a copy into an empty storage is equal, and marked as unfinished until it was compared; API keys come last', async () => {
    const [from, to] = [givenInstallation(), givenStorage()];

    const result = await copy(from, to);

    expect(to.content).toEqual(from.content);
    expect(from.changes).toEqual([]);
    expect(Object.entries(result).map(([kind, { rows, written }]) => [kind, rows, written])).toEqual(
      Object.entries(ROWS).map(([kind, rows]) => [kind, rows, rows]),
    );
    const writes = [3, 3, 3, 1].flatMap((rows) => [`write verifications ${rows}`]);
    const before = ['begin', 'write clients 2', 'write clientFaces 2', 'write clientRetention 2', 'write usage 2'];
    expect(to.changes.slice(0, 9)).toEqual([...before, ...writes]);
    expect(to.changes.slice(-2)).toEqual(['write apiKeys 2', 'finish']);
  });

  it('a copy into an empty storage of an empty storage is finished too', async () => {
    const to = givenStorage();
    await copy(givenStorage(), to);
    expect(to.changes).toEqual(['begin', 'finish']);
  });

  it('reports progress of every kind to the end', async () => {
    const reported: CopyProgress[] = [];
    await copy(givenInstallation(), givenStorage(), (progress) => reported.push(progress));

    const ofVerifications = reported.filter(({ kind }) => kind === 'verifications');
    expect(ofVerifications.map(({ phase, done, total }) => [phase, done, total])).toEqual(
      ['copy', 'verify'].flatMap((phase) => [3, 6, 9, 10].map((done) => [phase, done, 10])),
    );
    expect(new Set(reported.map(({ kind }) => kind)).size).toBe(Object.keys(ROWS).length);
  });

  it('reports the end once when the last batch is full', async () => {
    const done: number[] = [];
    const onProgress = (progress: CopyProgress) => {
      if (progress.phase === 'copy' && progress.kind === 'verifications') done.push(progress.done);
    };
    await copyStorage({ from: givenInstallation(), to: givenStorage(), batchSize: 5, onProgress });
    expect(done).toEqual([5, 10]);
  });
});

describe('an interrupted copy', () => {
  it('continues after any interruption, before or after a write', async () => {
    const whole = givenStorage();
    await copy(givenInstallation(), whole);
    const from = givenInstallation();

    for (let steps = 0; steps < 2 * whole.changes.length; steps += 1) {
      const to = givenStorage();
      await expect(copy(from, dyingAfter(to, steps))).rejects.toThrow('killed');
      const before = to.content.verifications.length;

      const { verifications } = await copy(from, to);

      expect(to.content).toEqual(from.content);
      expect(verifications).toEqual({ rows: 10, written: 10 - before });
      expect(await to.hasUnfinishedCopy()).toBe(false);
    }
  });

  it('continues a target in which an entry between others is missing', async () => {
    const [from, to] = [givenInstallation(), givenInstallation()];
    await to.begin();
    to.content.verifications.splice(3, 2);
    const { verifications } = await copy(from, to);
    expect(verifications).toEqual({ rows: 10, written: 2 });
    expect(to.changes).toEqual(['begin', 'begin', 'write verifications 2', 'finish']);
  });

  it('an interrupted copy does not continue if the source changed meanwhile', async () => {
    const [from, to] = [givenInstallation(), givenStorage()];
    await expect(copy(from, dyingAfter(to, 9))).rejects.toThrow('killed');
    const changes = [...to.changes];
    from.content.usage.splice(0, 1, { clientId: 'client-1', month: '2026-03', used: 6, allowance: 7 });

    await expect(copy(from, to)).rejects.toMatchObject({
      code: 'target_in_use',
      message: expect.stringMatching(/: usage of client client-1 2026-03 differs$/) as string,
    });
    expect(to.changes).toEqual(changes);
  });
});

describe('a target that is not empty', () => {
  it('and is a finished copy is compared and not changed', async () => {
    const [from, to] = [givenInstallation(), givenInstallation()];
    const result = await copy(from, to);
    expect(result.verifications).toEqual({ rows: 10, written: 0 });
    expect(to.changes).toEqual([]);
  });

  it.each([
    [
      'more',
      (to: GivenStorage) => to.content.clients.push(client('client-3')),
      /client client-3 is not in the source/,
    ],
    [
      'more, before the others,',
      (to: GivenStorage) => to.content.clients.push(client('client-0')),
      /client client-0 is not in the source/,
    ],
    ['less', (to: GivenStorage) => to.content.events.pop(), /event of verification .* is missing$/],
    ['else', (to: GivenStorage) => to.content.apiKeys.splice(0, 1), /key of client client-1 .* is missing$/],
  ])('%s than the source is refused and not changed', async (_what, spoil, message) => {
    const to = givenInstallation();
    spoil(to);
    const refused = copy(givenInstallation(), to);
    await expect(refused).rejects.toMatchObject({ name: 'CopyError', code: 'target_in_use' });
    await expect(refused).rejects.toThrow(message);
    expect(to.changes).toEqual([]);
  });

  it.each([
    ['erasureLogs', 'erasure log 1 is missing'],
    ['retentionRuns', 'retention run 1 is missing'],
  ] as const)('a target without the one entry of %s is refused: %s', async (kind, message) => {
    const to = givenInstallation();
    to.content[kind].pop();
    await expect(copy(givenInstallation(), to)).rejects.toThrow(message);
  });
});

describe('a target that', () => {
  it('refuses an entry: the error names it by its key, the others stay, and the copy is unfinished', async () => {
    const [from, to] = [givenInstallation(), givenStorage()];
    const id = 'client-1-2';
    const refusing: GivenStorage = {
      ...to,
      async write(kind, entries) {
        if (kind === 'verifications' && JSON.stringify(entries).includes(id))
          throw Object.assign(new Error('user_2 is bad'), { code: '22P05' });
        return to.write(kind, entries);
      },
    };

    await expect(copy(from, refusing)).rejects.toMatchObject({
      code: 'entry_refused',
      message: `The target refuses verification ${id} (22P05)`,
    });
    expect(to.content.verifications.map((record) => record.id)).toEqual(['client-1-1']);
    expect(await to.hasUnfinishedCopy()).toBe(true);
  });

  it.each([
    ['an error without a code', new Error('user_2 is bad')],
    ['an error with a number', Object.assign(new Error('user_2 is bad'), { code: 5 })],
  ])('refuses an entry with %s: the message has no reason', async (_what, cause) => {
    const to: GivenStorage = { ...givenStorage(), write: () => Promise.reject(cause) };
    await expect(copy(givenInstallation(), to)).rejects.toMatchObject({
      message: 'The target refuses client client-1',
      cause,
    });
  });

  it('a target that does not answer rejects with its fault, and names no entry', async () => {
    const down = new CountersignError('SERVICE_UNAVAILABLE', 'down');
    const to: GivenStorage = { ...givenStorage(), write: () => Promise.reject(down) };
    await expect(copy(givenInstallation(), to)).rejects.toBe(down);
  });

  it.each([
    ['loses an entry', (to: GivenStorage) => to.content.events.pop(), /event of verification .* is missing$/],
    [
      'has one more',
      (to: GivenStorage) => to.content.clients.push(client('client-3')),
      /client client-3 is not in the source/,
    ],
    [
      'changes one',
      (to: GivenStorage) => to.content.usage.push({ ...(to.content.usage.shift() ?? month), used: 4 }),
      /usage of client client-1 2026-03 differs$/,
    ],
  ])('%s differs from the source, and stays unfinished', async (_what, spoil, message) => {
    const to = givenStorage();
    const spoiling: GivenStorage = {
      ...to,
      async write(kind, entries) {
        await to.write(kind, entries);
        if (kind === 'apiKeys') spoil(to);
      },
    };
    const failing = copy(givenInstallation(), spoiling);
    await expect(failing).rejects.toMatchObject({ code: 'not_equal' });
    await expect(failing).rejects.toThrow(message);
    expect(to.changes).not.toContain('finish');
  });

  it('counts other entries than it returns is not_equal', async () => {
    const to = givenStorage();
    const miscounting: GivenStorage = {
      ...to,
      count: async (kind) => (to.changes.length > 0 ? 1 : to.count(kind)),
    };
    await expect(copy(givenInstallation(), miscounting)).rejects.toMatchObject({
      code: 'not_equal',
      message: 'The copy differs from its source and must not be served: 1 instead of 2 clients',
    });
  });

  it('returns entries in another order rejects, because entries would be missed', async () => {
    const from = givenInstallation();
    const reversed: GivenStorage = {
      ...from,
      read: async (kind, after, limit) => [...(await from.read(kind, after, limit))].reverse(),
    };
    await expect(copy(reversed, givenStorage())).rejects.toThrow('clients are not in the order of their keys');
  });

  it('returns an entry twice rejects', async () => {
    const from = givenInstallation();
    from.content.usage.push({ ...month, used: 5, allowance: 7 });
    await expect(copy(from, givenStorage())).rejects.toThrow('usage are not in the order of their keys');
  });
});

const month = { clientId: 'client-1', month: '2026-03', used: 0, allowance: 0 };

function client(id: string) {
  return {
    client: aClient({ id }),
    subscription: null,
  };
}

/** The process ends so many steps later: a change is a step, and that its answer arrives is another. */
function dyingAfter(to: GivenStorage, steps: number): GivenStorage {
  let left = steps;
  const step = (): void => {
    if (left === 0) throw new CountersignError('SERVICE_UNAVAILABLE', 'killed');
    left -= 1;
  };
  const mortal = async (change: () => Promise<void>): Promise<void> => {
    step();
    await change();
    step();
  };
  return {
    ...to,
    begin: () => mortal(() => to.begin()),
    write: (kind, entries) => mortal(() => to.write(kind, entries)),
    finish: () => mortal(() => to.finish()),
  };
}
