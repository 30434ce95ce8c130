import type { ErasureLog, ErasureLogEntry } from '@countersign/domain/retention';
import { type ErasureLogsUnderTest, erasureLogSuite } from '../../src/suites/erasure-log.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { fail, roundTrip } from './patch.ts';

type Break = (sound: ErasureLogsUnderTest) => ErasureLogsUnderTest;

const breaks =
  (change: (log: ErasureLog) => Partial<ErasureLog>): Break =>
  (sound) => ({ instance: () => ({ ...sound.instance(), ...change(sound.instance()) }) });

const appends = (
  append: (log: ErasureLog, ...given: Parameters<ErasureLog['append']>) => Promise<ErasureLogEntry>,
) => breaks((log) => ({ append: (...given) => append(log, ...given) }));
const puts = (put: (log: ErasureLog, entry: ErasureLogEntry) => Promise<unknown>) =>
  breaks((log) => ({
    async put(entry) {
      await put(log, entry);
    },
  }));
const reads = (change: (log: ErasureLog, after: number, limit: number) => Promise<readonly ErasureLogEntry[]>) =>
  breaks((log) => ({ read: (after, limit) => change(log, after, limit) }));
const readsEntriesAs = (change: (entry: ErasureLogEntry) => ErasureLogEntry) =>
  reads(async (log, after, limit) => (await log.read(after, limit)).map(change));

export const ERASURE_LOG_MUTANTS: readonly Mutant<ErasureLogsUnderTest>[] = mutantsOf(erasureLogSuite, {
  'fails before the first entry': breaks((log) => ({ head: async () => (await log.head()) || fail('ENOENT') })),
  'has an id from the start': breaks((log) => ({ id: async () => (await log.id()) ?? 'log-0' })),
  'keeps no id': breaks(() => ({ identify: async (id) => id })),
  'returns the id given': breaks((log) => ({
    async identify(id) {
      await log.identify(id);
      return id;
    },
  })),
  'takes the last id': (sound) => {
    let last: string | null = null;
    return breaks(() => ({
      id: async () => last,
      async identify(id) {
        last = id;
        return id;
      },
    }))(sound);
  },
  'reads, then sets the id': (sound) => {
    let set: string | null = null;
    return breaks(() => ({
      id: async () => set,
      async identify(id) {
        const before = set;
        await roundTrip();
        set = before ?? id;
        return set;
      },
    }))(sound);
  },
  'counts the id as an entry': breaks((log) => ({
    async identify(id) {
      const isNew = (await log.id()) === null;
      if (isNew) await log.append({ clientId: 'log', verificationId: id, at: new Date(0) });
      return log.identify(id);
    },
  })),
  'counts from 0': appends(async (log, entry) => {
    const written = await log.append(entry);
    return { ...written, number: written.number - 1 };
  }),
  'refuses a second entry of a verification': appends(async (log, entry) => {
    const entries = await log.read(0, 1_000);
    return entries.find(({ verificationId }) => verificationId === entry.verificationId) ?? log.append(entry);
  }),
  'has entries of one instance only': (sound) => ({
    instance: () => {
      const entries: ErasureLogEntry[] = [];
      return {
        ...sound.instance(),
        async append(entry) {
          const numbered = { number: entries.length + 1, ...entry };
          entries.push(numbered);
          return numbered;
        },
        put: async (entry) => void entries.splice(entry.number - 1, 1, entry),
        read: async (after, limit) => entries.slice(after, after + limit),
        head: async () => entries.length,
      };
    },
  }),
  'cuts milliseconds off': readsEntriesAs((entry) => ({
    ...entry,
    at: new Date(Math.floor(entry.at.getTime() / 1_000) * 1_000),
  })),
  'forgets the client': readsEntriesAs((entry) => ({ ...entry, clientId: 'client-1' })),
  'orders numbers as texts': reads(async (log, after, limit) =>
    (await log.read(after, limit)).toSorted((one, other) => (`${one.number}` < `${other.number}` ? -1 : 1)),
  ),
  'reads from the number on': reads((log, after, limit) => log.read(Math.max(after - 1, 0), limit)),
  'reads one entry more than asked for': reads((log, after, limit) => log.read(after, limit + 1)),
  'reads the last entries again at the end': reads(async (log, after, limit) =>
    log.read(Math.min(after, (await log.head()) - 1), limit),
  ),
  'gives an entry that is put the next number': puts((log, entry) => log.append(entry)),
  'appends an entry that it has': puts(async (log, entry) => {
    await ((await log.head()) < entry.number ? log.put(entry) : log.append(entry));
  }),
  'ignores another entry under its number': puts(async (log, entry) => {
    if ((await log.head()) < entry.number) await log.put(entry);
  }),
  'compares only the verification of an entry that it has': puts(async (log, entry) => {
    const [found] = await log.read(entry.number - 1, 1);
    if (found?.verificationId !== entry.verificationId) await log.put(entry);
  }),
  'fills a gap before an entry that is put': puts(async (log, entry) => {
    while ((await log.head()) + 1 < entry.number) await log.append(entry);
    await log.put(entry);
  }),
  'writes an entry to try whether it can': breaks((log) => ({
    probe: async () => void (await log.append({ clientId: 'c', verificationId: 'v', at: new Date(0) })),
  })),
  'refuses an entry that another instance has put': puts(async (log, entry) => {
    if ((await log.head()) >= entry.number) fail('EEXIST');
    await log.put(entry);
  }),
  'reads the highest number, then writes the next': (sound) => {
    const entries = new Map<number, ErasureLogEntry>();
    const head = () => Math.max(0, ...entries.keys());
    return {
      instance: () => ({
        ...sound.instance(),
        async append(entry) {
          const number = head() + 1;
          await roundTrip();
          const numbered = { number, ...entry };
          entries.set(number, numbered);
          return numbered;
        },
        put: async (entry) => void entries.set(entry.number, entry),
        read: async (after, limit) => [...entries.values()].filter(({ number }) => number > after).slice(0, limit),
        head: async () => head(),
      }),
    };
  },
});
