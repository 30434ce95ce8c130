import type { Countersign } from '@countersign/domain';
import {
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  releaseVerificationHold,
  setRetentionPolicy,
} from '@countersign/domain/actions';
import { DEFAULT_RETENTION, type RetentionPolicy } from '@countersign/domain/retention';
import type { Storage } from '@countersign/domain/storage';
import type { FixedClock } from '@countersign/memory';
import fc from 'fast-check';

/** The parts of a service that these commands use. */
interface Service {
  readonly storage: Storage;
  readonly countersign: Countersign;
  readonly clock: FixedClock;
}

interface OnVerification {
  readonly client: number;
  readonly verification: number;
}

/** What a sequence does to the data of verifications. */
export type DataCommand =
  | ({ readonly kind: 'hold'; readonly hours: number | null } & OnVerification)
  | ({ readonly kind: 'releaseHold' } & OnVerification)
  /** Sets the end of the relationship to some time ago; null takes it back. */
  | ({ readonly kind: 'endRelationship'; readonly hoursAgo: number | null } & OnVerification)
  /** By an API key, or by an operator. */
  | ({ readonly kind: 'eraseData'; readonly key: number | null; readonly withdraw: boolean } & OnVerification);

export type RetentionCommand =
  /** Sets one of the policies for a client; null removes its own. */
  | { readonly kind: 'setPolicy'; readonly client: number; readonly policy: number | null }
  /** Runs the job until nothing is left to do, and a day later again if the clock seems to have jumped. */
  | { readonly kind: 'retain'; readonly client: number };

/** Short periods, so that data is due within the time of a sequence. */
export const MODEL_RETENTION: {
  readonly policy: RetentionPolicy;
  readonly floor: { readonly approved: string; readonly rejected: string; readonly unfinished: string };
  readonly timeZone: string;
} = {
  policy: {
    ...DEFAULT_RETENTION,
    approvedAfterEnd: 'P10D',
    approvedLongest: 'P60D',
    rejected: 'P20D',
    unfinished: 'P5D',
  },
  floor: { approved: 'P10D', rejected: 'P10D', unfinished: 'P0D' },
  timeZone: 'Europe/Berlin',
};

/** The last one is under the floor. */
const POLICIES: readonly RetentionPolicy[] = [
  { ...MODEL_RETENTION.policy, rejected: 'P10D', unfinished: 'P0D' },
  { ...MODEL_RETENTION.policy, approvedLongest: 'P1Y', rejected: 'P1Y', unfinished: 'P1Y' },
  { ...MODEL_RETENTION.policy, rejected: 'P9D' },
];

const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;

export function retentionCommands(on: {
  client: fc.Arbitrary<number>;
  verification: fc.Arbitrary<number>;
  key: fc.Arbitrary<number>;
}): {
  /** Their outcomes, run several times at once, do not depend on which call comes first. */
  readonly repeatable: readonly fc.WeightedArbitrary<DataCommand>[];
  readonly once: readonly fc.WeightedArbitrary<RetentionCommand>[];
} {
  const { client, key } = on;
  const place = { client, verification: on.verification };
  const kind = <K extends string>(name: K) => fc.constant(name);
  const hours = fc.constantFrom(1, 30, 400);
  return {
    repeatable: [
      { weight: 2, arbitrary: record({ kind: kind('hold'), ...place, hours: fc.option<number>(hours) }) },
      { weight: 1, arbitrary: record({ kind: kind('releaseHold'), ...place }) },
      {
        weight: 6,
        arbitrary: record({ kind: kind('endRelationship'), ...place, hoursAgo: fc.option<number>(hours) }),
      },
      {
        weight: 2,
        arbitrary: record({
          kind: kind('eraseData'),
          ...place,
          key: fc.option<number>(key),
          withdraw: fc.boolean(),
        }),
      },
    ],
    once: [
      {
        weight: 2,
        arbitrary: record({
          kind: kind('setPolicy'),
          client,
          policy: fc.option<number>(fc.nat(POLICIES.length - 1), { freq: 3 }),
        }),
      },
      { weight: 2, arbitrary: record({ kind: kind('retain'), client }) },
    ],
  };
}

const HOUR_MS = 3_600_000;
/** More than all sequences of a run need. */
const MOST_RUNS = 1_000;

export async function runOnData(
  { countersign, clock }: Service,
  { id: verificationId, keyOf }: { readonly id: string; readonly keyOf: (key: number) => string | undefined },
  command: DataCommand,
): Promise<unknown> {
  const commandLine = countersign.as({ kind: 'command_line' });
  const at = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString();
  switch (command.kind) {
    case 'hold': {
      const until = command.hours === null ? {} : { until: at(command.hours) };
      return commandLine.run(holdVerification, { verificationId, reason: 'A court asked for it', ...until });
    }
    case 'releaseHold':
      return commandLine.run(releaseVerificationHold, { verificationId });
    case 'endRelationship': {
      const endedAt = command.hoursAgo === null ? {} : { endedAt: at(-command.hoursAgo) };
      return commandLine.run(endVerificationRelationship, { verificationId, ...endedAt });
    }
    case 'eraseData': {
      const { key, withdraw } = command;
      if (key === null) return commandLine.run(eraseVerificationData, { verificationId, withdraw });
      const principal = await countersign.authenticate(keyOf(key));
      return countersign.verifications.eraseData(principal, verificationId, { withdraw });
    }
    default:
      return command satisfies never;
  }
}

export async function runRetention(
  { countersign, clock }: Service,
  clientId: string,
  command: RetentionCommand,
): Promise<unknown> {
  if (command.kind === 'setPolicy') {
    const own = command.policy === null ? { useDefault: true } : POLICIES[command.policy];
    return countersign.as({ kind: 'command_line' }).run(setRetentionPolicy, { clientId, ...own });
  }
  let erased = 0;
  for (let run = 0; run < MOST_RUNS; run += 1) {
    const result = await countersign.retention.run();
    erased += result.erased;
    if (result.pausedUntil !== null) clock.advance(25 * HOUR_MS);
    else if (result.isDone) return { erased };
  }
  throw new Error('the job does not end');
}

/** Everything that is stored of the retention of a client, without the numbers of erasures: those at the same time have no order. */
export async function retentionOf({ storage }: Service, clientId: string): Promise<unknown> {
  const receipts = await storage.retention.erasures({ clientId, after: 0, limit: 1_000 });
  return {
    rules: await storage.retention.ofClient(clientId),
    receipts: new Set(receipts.map(({ number: _, ...receipt }) => receipt)),
  };
}
