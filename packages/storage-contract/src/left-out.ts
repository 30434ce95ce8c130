import {
  type CoreStorage,
  PART_NAMES,
  presentParts,
  type SomeParts,
  type Storage,
  type StoragePart,
} from '@countersign/domain/storage';

/** Leaves out parts of storages, and records which of them a case calls. */
export interface LeftOut {
  /** Returns the storage with a stand-in for each part that is left out. Every call of a stand-in rejects. */
  leave(storage: CoreStorage & SomeParts): Storage;
  /** Returns the left-out parts that were called. */
  missed(): readonly StoragePart[];
}

const STAND_INS = new WeakSet<object>();

/** Whether a port is the stand-in of a left-out part. A case that every storage must pass goes on without it. */
export function isLeftOut(port: unknown): boolean {
  return typeof port === 'object' && port !== null && STAND_INS.has(port);
}

/** Returns the storage as its adapter made it: without stand-ins. */
export function withoutStandIns(storage: Storage): CoreStorage & SomeParts {
  const leftOut = PART_NAMES.filter((part) => isLeftOut(storage[part]));
  return { ...storage, ...Object.fromEntries(leftOut.map((part) => [part, undefined])) };
}

/** Creates `LeftOut` for one case. */
export function createLeftOut(without: readonly StoragePart[]): LeftOut {
  const missed = new Set<StoragePart>();
  const standIn = (part: StoragePart): object => {
    const port = new Proxy(
      {},
      {
        get: () => async (): Promise<never> => {
          missed.add(part);
          throw new Error(`The part ${part} is left out`);
        },
      },
    );
    STAND_INS.add(port);
    return port;
  };
  const standIns = Object.fromEntries(without.map((part) => [part, standIn(part)]));
  const leave = (storage: CoreStorage & SomeParts): Storage => {
    const filled = new Proxy(
      { ...storage },
      {
        get(_target, name): unknown {
          const value: unknown = Reflect.get(standIns, name) ?? Reflect.get(storage, name);
          if (typeof value !== 'function') return value;
          const bound: unknown = value.bind(storage);
          return bound;
        },
        // So that the storage can be spread.
        ownKeys: () => [...new Set([...Reflect.ownKeys(storage), ...without])],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    if (!hasEveryPart(filled)) throw new Error(`The storage ${wrongParts(storage, without).join(' and ')}`);
    return filled;
  };
  return { leave, missed: () => [...missed] };
}

function hasEveryPart(storage: CoreStorage & SomeParts): storage is Storage {
  return presentParts(storage).size === PART_NAMES.length;
}

/** Lists left-out parts that a storage has, and other parts that it lacks. */
export function wrongParts(storage: SomeParts, without: readonly StoragePart[]): readonly string[] {
  const present = presentParts(storage);
  return PART_NAMES.flatMap((part) => {
    const [isPresent, isLeftOut] = [present.has(part), without.includes(part)];
    if (isPresent !== isLeftOut) return [];
    return [isPresent ? `has the part ${part}, which is left out` : `lacks the part ${part}`];
  });
}
