import type { ApiKey, JsonObject, VerificationEvent } from '@countersign/domain';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';

/** Breaks a sound storage. */
export type Break = (sound: Storage) => Storage;

type Ports = Omit<Storage, 'ping' | 'close'>;
type Input<O> = O extends (...input: infer I) => unknown ? I : never;
type Result<O> = O extends (...input: never[]) => Promise<infer R> ? R : never;
type LastInput<O> = Input<O> extends readonly [...unknown[], infer L extends object] ? L : never;

interface Call<O> {
  /** The sound operation. */
  readonly next: (...input: Input<O>) => Promise<Result<O>>;
  /** The sound storage. */
  readonly storage: Storage;
}

/** Ways to break one operation of a port. */
interface Operation<O> {
  /** Replaces the operation. The replacement receives the sound operation and storage, and the input. */
  override(replacement: (call: Call<O>, ...input: Input<O>) => Promise<Result<O>>): Break;
  /** Changes fields of the last argument. */
  input(change: (last: LastInput<O>) => Partial<LastInput<O>>): Break;
  /** Changes the first argument, an id or a name. */
  first(change: (first: string) => string): Break;
  /** Changes the result. Null stays null. */
  result(change: (result: NonNullable<Result<O>>, ...input: Input<O>) => Result<O>): Break;
  /** Does something else before the call. */
  before(act: (...input: Input<O>) => unknown): Break;
  /** Does something else after the call, unless it returned null. */
  after(act: (result: NonNullable<Result<O>>, ...input: Input<O>) => unknown): Break;
  /** Calls again later, with other fields of the last argument, and combines both results. */
  twice(
    change: (last: LastInput<O>) => Partial<LastInput<O>>,
    combine: (result: Result<O>, later: Result<O>, last: LastInput<O>) => Result<O>,
  ): Break;
  /** Runs one call at a time, and returns what `refuse` makes of calls that come meanwhile. */
  oneAtATime(refuse: (storage: Storage) => Promise<Result<O>>): Break;
  /** Ignores fields of the last argument: one break for each, by its name as a mutant. */
  ignoring(...fields: readonly (keyof LastInput<O> & string)[]): Record<string, Break>;
}

function operation<O>(port: keyof Ports, name: string): Operation<O> {
  const override: Operation<O>['override'] = (replacement) => (storage) => {
    const next = Reflect.get(storage[port], name) as Call<O>['next'];
    const broken = async (...input: Input<O>) => replacement({ next, storage }, ...input);
    return { ...storage, [port]: { ...storage[port], [name]: broken } };
  };
  const changed = (input: Input<O>, change: (last: LastInput<O>) => Partial<LastInput<O>>): Input<O> => {
    const last = input.at(-1) as LastInput<O>;
    return [...input.slice(0, -1), { ...last, ...change(last) }] as Input<O>;
  };
  const input: Operation<O>['input'] = (change) =>
    override(({ next }, ...input) => next(...changed(input, change)));
  const result: Operation<O>['result'] = (change) =>
    override(async ({ next }, ...input) => {
      const result = await next(...input);
      return result === null || result === undefined ? result : change(result, ...input);
    });
  return {
    override,
    input,
    result,
    before: (act) =>
      override(({ next }, ...input) => {
        act(...input);
        return next(...input);
      }),
    after: (act) =>
      result((answer, ...input) => {
        act(answer, ...input);
        return answer;
      }),
    first: (change) =>
      override(({ next }, ...[first, ...rest]) => next(...([change(first as string), ...rest] as Input<O>))),
    twice: (change, combine) =>
      override(async ({ next }, ...input) => {
        const result = await next(...input);
        await roundTrip();
        return combine(result, await next(...changed(input, change)), input.at(-1) as LastInput<O>);
      }),
    oneAtATime: (refuse) =>
      remembering(() => {
        let isBusy = false;
        return override(async ({ next, storage }, ...input) => {
          if (isBusy) return refuse(storage);
          isBusy = true;
          await roundTrip();
          isBusy = false;
          return next(...input);
        });
      }),
    ignoring: (...fields) =>
      Object.fromEntries(
        fields.map((field) => [
          `ignores ${field}`,
          input(() => ({ [field]: undefined }) as Partial<LastInput<O>>),
        ]),
      ),
  };
}

type Operations = { readonly [P in keyof Ports]: { readonly [N in keyof Ports[P]]: Operation<Ports[P][N]> } };

function operationsOf<P extends keyof Ports>(port: P): Operations[P] {
  return new Proxy({} as Operations[P], { get: (_, name) => operation(port, String(name)) });
}

/** The operations of each port, to be broken. */
export const verifications: Operations['verifications'] = operationsOf('verifications');
export const apiKeys: Operations['apiKeys'] = operationsOf('apiKeys');
export const clients: Operations['clients'] = operationsOf('clients');
export const webhooks: Operations['webhooks'] = operationsOf('webhooks');
export const dataKeys: Operations['dataKeys'] = operationsOf('dataKeys');
export const audit: Operations['audit'] = operationsOf('audit');
export const retention: Operations['retention'] = operationsOf('retention');
export const personExports: Operations['exports'] = operationsOf('exports');
export const handOvers: Operations['handOvers'] = operationsOf('handOvers');
export const readings: Operations['readings'] = operationsOf('readings');
export const indexes: Operations['indexes'] = operationsOf('indexes');
export const appearances: Operations['appearances'] = operationsOf('appearances');
export const counters: Operations['counters'] = operationsOf('counters');
export const mailQueue: Operations['mails'] = operationsOf('mails');

/** Applies several breaks to one storage. */
export function both(...breaks: readonly Break[]): Break {
  return (storage) => breaks.reduce((broken, apply) => apply(broken), storage);
}

/** Makes a new break for each storage, so that what it remembers is not shared. */
export function remembering(make: () => Break): Break {
  return (storage) => make()(storage);
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
      clients.usedIn.override(async ({ next }, ...input) => (await next(...input)) + calls),
    );
  });
}

/** Fails on an id that is not a UUID, as a column of that type does. */
export const uuidOnly = (id: string): string =>
  id.length === 36 ? id : fail('invalid input syntax for type uuid');

/** Truncates a text at NUL, as a C string ends. */
export const untilNul = (text: string): string => text.split('\u0000')[0] ?? '';

export function fail(message: string): never {
  throw new Error(message);
}

/** Lets all pending calls run first, as a round trip to a database does. */
export async function roundTrip(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}

/** Changes each record on its way into the storage. */
export function keepsRecord(change: (record: VerificationRecord) => Partial<VerificationRecord>): Break {
  const keep = ({ record }: { record: VerificationRecord }) => ({ record: { ...record, ...change(record) } });
  return both(verifications.createCharged.input(keep), verifications.commit.input(keep));
}

/** Changes each event on its way into the storage. */
export function keepsEvent(change: (event: VerificationEvent) => Partial<VerificationEvent>): Break {
  const keep = (event: VerificationEvent): VerificationEvent => ({ ...event, ...change(event) });
  return both(
    verifications.createCharged.input(({ event }) => ({ event: keep(event) })),
    verifications.commit.input(({ events }) => ({ events: events.map(keep) })),
  );
}

/** Changes each API key on its way into the storage. */
export const keepsKey = (change: (key: ApiKey) => Partial<ApiKey>): Break => apiKeys.issue.input(change);

/** The moment truncated to seconds, as a column without milliseconds stores it. */
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
