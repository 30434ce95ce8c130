import type { ApiKey, JsonObject, Storage, VerificationEvent, VerificationRecord } from '@countersign/domain';

/** Breaks a sound storage. */
export type Break = (sound: Storage) => Storage;

type Port = 'verifications' | 'apiKeys' | 'clients' | 'outbox' | 'dataKeys' | 'audit';
/** Port and name of an operation: `audit.append`. */
type Method = { [P in Port]: `${P}.${keyof Storage[P] & string}` }[Port];
type Operation<M> = M extends `${infer P extends Port}.${infer N}`
  ? N extends keyof Storage[P]
    ? Storage[P][N]
    : never
  : never;
type Given<M> = Operation<M> extends (...given: infer G) => unknown ? G : never;
type Answer<M> = Operation<M> extends (...given: never[]) => Promise<infer A> ? A : never;
type LastGiven<M> = Given<M> extends readonly [...unknown[], infer L extends object] ? L : never;

interface Call<M> {
  /** The sound operation. */
  readonly next: (...given: Given<M>) => Promise<Answer<M>>;
  /** The sound storage. */
  readonly storage: Storage;
}

/** Replaces one operation. The replacement gets the sound operation and storage, and what it was called with. */
export function on<M extends Method>(
  method: M,
): (replacement: (call: Call<M>, ...given: Given<M>) => Promise<Answer<M>>) => Break {
  const [port, name] = method.split('.') as [Port, string];
  return (replacement) => (storage) => {
    const next = Reflect.get(storage[port], name) as Call<M>['next'];
    const broken = async (...given: Given<M>) => replacement({ next, storage }, ...given);
    return { ...storage, [port]: { ...storage[port], [name]: broken } };
  };
}

/** Passes on something else than was given: the last argument, with some of its fields changed. */
export function asks<M extends Method>(
  method: M,
): (change: (given: LastGiven<M>) => Partial<LastGiven<M>>) => Break {
  return (change) =>
    on(method)(({ next }, ...given) => {
      const last = given.at(-1) as LastGiven<M>;
      return next(...([...given.slice(0, -1), { ...last, ...change(last) }] as Given<M>));
    });
}

/** Changes what an operation answers. Null stays null. */
export function answers<M extends Method>(
  method: M,
): (change: (answer: NonNullable<Answer<M>>, ...given: Given<M>) => Answer<M>) => Break {
  return (change) =>
    on(method)(async ({ next }, ...given) => {
      const answer = await next(...given);
      return answer === null || answer === undefined ? answer : change(answer, ...given);
    });
}

/** Applies several breaks to one storage. */
export function both(...breaks: readonly Break[]): Break {
  return (storage) => breaks.reduce((broken, apply) => apply(broken), storage);
}

/** Makes a break anew for each storage, so that what it remembers is not shared. */
export function remembering(make: () => Break): Break {
  return (storage) => make()(storage);
}

/** Takes one call at a time, and answers what `refuse` does to all that come meanwhile. */
export function oneAtATime<M extends Method>(
  method: M,
): (refuse: (storage: Storage) => Promise<Answer<M>>) => Break {
  return (refuse) =>
    remembering(() => {
      let isBusy = false;
      return on(method)(async ({ next, storage }, ...given) => {
        if (isBusy) return refuse(storage);
        isBusy = true;
        await roundTrip();
        isBusy = false;
        return next(...given);
      });
    });
}

/** Adds the calls that `counting` counts to what every client has used. */
export function chargesCalls(counting: (count: () => void) => Break): Break {
  return remembering(() => {
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    return both(
      counting(count),
      on('clients.usedIn')(async ({ next }, ...given) => (await next(...given)) + calls),
    );
  });
}

export function fail(message: string): never {
  throw new Error(message);
}

/** Lets everything else that is pending run first, as the round trip to a database does. */
export async function roundTrip(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}

/** Changes each record on its way into the storage. */
export function keepsRecord(change: (record: VerificationRecord) => Partial<VerificationRecord>): Break {
  const keep = ({ record }: { record: VerificationRecord }) => ({ record: { ...record, ...change(record) } });
  return both(asks('verifications.createCharged')(keep), asks('verifications.commit')(keep));
}

/** Changes each event on its way into the storage. */
export function keepsEvent(change: (event: VerificationEvent) => Partial<VerificationEvent>): Break {
  const keep = (event: VerificationEvent): VerificationEvent => ({ ...event, ...change(event) });
  return both(
    asks('verifications.createCharged')(({ event }) => ({ event: keep(event) })),
    asks('verifications.commit')(({ events }) => ({ events: events.map(keep) })),
  );
}

/** Changes each API key on its way into the storage. */
export const keepsKey = (change: (key: ApiKey) => Partial<ApiKey>): Break => asks('apiKeys.issue')(change);

/** The moment as a column without milliseconds keeps it. */
export function toSeconds(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1_000) * 1_000);
}

/** The moment, moved by milliseconds. */
export function moved(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** The document with a change made to each value in it, at any depth. */
export function eachValue(document: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => change(value, key))) as JsonObject;
}

export const numbersAsText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
export const withoutNulls = (value: unknown): unknown => (value === null ? undefined : value);
