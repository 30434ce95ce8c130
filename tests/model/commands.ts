import type { KeyLifetimeDays, Permission, Status, SubjectType } from '@countersign/domain';
import type { Plan } from '@countersign/domain/clients';
import fc from 'fast-check';
import { type ExportCommand, repeatableExportCommands, singleExportCommands } from './exports.ts';
import { type HandOverCommand, handOverCommands } from './hand-overs.ts';
import { type BesideCommand, type IndexCommand, indexCommands } from './indexes.ts';
import { type MailCommand, mailCommands } from './mails.ts';
import { type ReadingCommand, readingCommands } from './readings.ts';
import { type DataCommand, type RetentionCommand, retentionCommands } from './retention.ts';
import { type WebhookCommand, webhookCommands } from './webhooks.ts';

/** Clients in live use of one sequence: the number of verifications that each may create in a month is small. */
export const LIVE_CLIENTS = 3;

/** All clients of one sequence. */
const CLIENTS = LIVE_CLIENTS + 1;

/** The client of this number is the test twin of the first. */
export const TEST_TWIN: number = CLIENTS - 1;

export const REVIEW_MOVES = ['claim', 'release', 'note', 'approve', 'reject', 'ask'] as const;

/** Verifications and keys are named by their number among those of the client; a number too high starts over. */
interface OnVerification {
  readonly client: number;
  readonly verification: number;
}

/** What a sequence does to a service. All of it is data, so that every service receives the same. */
export type Command =
  | WebhookCommand
  | ExportCommand
  | HandOverCommand
  | ReadingCommand
  | IndexCommand
  | BesideCommand
  | MailCommand
  | DataCommand
  | RetentionCommand
  | {
      readonly kind: 'create';
      readonly client: number;
      readonly key: number;
      readonly type: SubjectType;
      readonly subject: number;
      readonly idempotencyKey: number | null;
      /** The client's return address by its number, with a path below it. */
      readonly returnTo: number | null;
      readonly locale: string | null;
      /** The subject's e-mail address by its number. */
      readonly notify: number | null;
    }
  | { readonly kind: 'setFileAccess'; readonly client: number; readonly fileAccess: boolean }
  | {
      readonly kind: 'setFlowSettings';
      readonly client: number;
      readonly isAsked: boolean;
      readonly minimumAge: number | null;
      readonly linkDays: number | null;
    }
  | {
      readonly kind: 'setAppearance';
      readonly client: number;
      readonly displayName: number | null;
      readonly colour: number | null;
    }
  | { readonly kind: 'setLogo'; readonly client: number; readonly logo: number | null }
  | { readonly kind: 'setReasonTemplates'; readonly client: number; readonly names: readonly number[] }
  | { readonly kind: 'setReturnAddresses'; readonly client: number; readonly numbers: readonly number[] }
  | ({ readonly kind: 'read'; readonly key: number } & OnVerification)
  | { readonly kind: 'list'; readonly client: number; readonly key: number; readonly status: Status | null }
  /** Completes one step with valid answers: the next one, or one by its number. */
  | ({ readonly kind: 'answer'; readonly step: number | null } & OnVerification)
  /** Completes the next step together with the one after it, if that takes no files. */
  | ({ readonly kind: 'answerTwo' } & OnVerification)
  /** Completes the consent with one of several versions of its text. */
  | ({ readonly kind: 'consent'; readonly version: number } & OnVerification)
  | ({ readonly kind: 'draft'; readonly isValid: boolean } & OnVerification)
  | ({ readonly kind: 'attach' } & OnVerification)
  /** Completes every open step and submits. */
  | ({ readonly kind: 'complete' } & OnVerification)
  | ({ readonly kind: 'submit' } & OnVerification)
  | ({
      readonly kind: 'review';
      readonly move: (typeof REVIEW_MOVES)[number];
      readonly reviewer: number;
      /** Whether the reviewer saw the version before the current one. */
      readonly isLate: boolean;
    } & OnVerification)
  /** By an API key, or by an operator. */
  | ({ readonly kind: 'withdraw'; readonly key: number | null } & OnVerification)
  | ({ readonly kind: 'renewLink' } & OnVerification)
  | {
      readonly kind: 'issueKey';
      readonly client: number;
      readonly permission: Permission;
      readonly expiresInDays: KeyLifetimeDays | undefined;
    }
  | { readonly kind: 'rotateKey' | 'revokeKey'; readonly client: number; readonly key: number }
  | {
      readonly kind: 'subscribe';
      readonly client: number;
      readonly plan: Plan;
      readonly monthlyLimit: number;
      readonly status: 'active' | 'canceled';
    }
  | { readonly kind: 'wait'; readonly client: number; readonly hours: number }
  /** Lets time pass until every link has ended long ago, and runs the job for abandoned verifications. */
  | { readonly kind: 'expire'; readonly client: number };

/** Commands that run one after the other, the same command several times at once, or one for each client at the same time. */
export type Turn =
  | { readonly how: 'one'; readonly command: Command }
  | { readonly how: 'same'; readonly command: Command; readonly times: number }
  | { readonly how: 'apart'; readonly commands: readonly Command[] };

const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
const client = fc.nat(CLIENTS - 1);
const on = { client, verification: fc.nat(3) };
const key = fc.nat(4);
const retention = retentionCommands({ ...on, key });
const kind = <K extends string>(name: K) => fc.constant(name);

const create = record({
  kind: kind('create'),
  client,
  key,
  type: fc.constantFrom('kyc', 'kyb'),
  subject: fc.nat(3),
  idempotencyKey: fc.option<number>(fc.nat(2), { freq: 2 }),
  returnTo: fc.constantFrom(null, null, null, 0, 1),
  locale: fc.constantFrom(null, null, 'de', 'tlh'),
  notify: fc.constantFrom(null, 0, 1),
});
const review = record({
  kind: kind('review'),
  ...on,
  move: fc.constantFrom(...REVIEW_MOVES),
  reviewer: fc.nat(1),
  isLate: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
/** Two commits, an upload and the answers: several at once interleave in more than one way. */
const answer = record({
  kind: kind('answer'),
  ...on,
  step: fc.option<number>(fc.nat(6), { freq: 4 }),
});
const answerTwo = record({ kind: kind('answerTwo'), ...on });
const complete = record({ kind: kind('complete'), ...on });
const setReturnAddresses = record({
  kind: kind('setReturnAddresses'),
  client,
  numbers: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
});
const setAppearance = record({
  kind: kind('setAppearance'),
  client,
  displayName: fc.option(fc.nat(2)),
  colour: fc.option(fc.nat(2)),
});
const setLogo = record({ kind: kind('setLogo'), client, logo: fc.option(fc.nat(2)) });
const setReasonTemplates = record({
  kind: kind('setReasonTemplates'),
  client,
  // A name twice is refused.
  names: fc.array(fc.nat(2), { maxLength: 3 }),
});
const setFileAccess = record({ kind: kind('setFileAccess'), client, fileAccess: fc.boolean() });
const setFlowSettings = record({
  kind: kind('setFlowSettings'),
  client,
  isAsked: fc.boolean(),
  // 17 and 0 are refused.
  minimumAge: fc.constantFrom(null, 17, 21),
  linkDays: fc.constantFrom(null, 0, 1, 60),
});
const wait = record({ kind: kind('wait'), client, hours: fc.constantFrom(1, 30, 400, 800) });
const expire = record({ kind: kind('expire'), client });
const rotateKey = record({ kind: kind('rotateKey'), client, key });

/** Commands whose outcomes, run several times at once, do not depend on which call comes first. */
const repeatable: readonly fc.WeightedArbitrary<Command>[] = [
  ...retention.repeatable,
  { weight: 6, arbitrary: create },
  { weight: 2, arbitrary: record({ kind: kind('read'), ...on, key }) },
  {
    weight: 1,
    arbitrary: record({
      kind: kind('list'),
      client,
      key,
      status: fc.constantFrom(null, 'pending', 'submitted'),
    }),
  },
  { weight: 3, arbitrary: record({ kind: kind('consent'), ...on, version: fc.nat(3) }) },
  { weight: 2, arbitrary: record({ kind: kind('draft'), ...on, isValid: fc.boolean() }) },
  { weight: 2, arbitrary: record({ kind: kind('attach'), ...on }) },
  { weight: 3, arbitrary: record({ kind: kind('submit'), ...on }) },
  { weight: 12, arbitrary: review },
  { weight: 1, arbitrary: record({ kind: kind('withdraw'), ...on, key: fc.option<number>(key) }) },
  { weight: 1, arbitrary: record({ kind: kind('renewLink'), ...on }) },
  { weight: 5, arbitrary: repeatableExportCommands(CLIENTS) },
  {
    weight: 3,
    arbitrary: record({
      kind: kind('issueKey'),
      client,
      permission: fc.constantFrom('*', 'verifications:create', 'verifications:read'),
      expiresInDays: fc.constantFrom(undefined, 30, 90),
    }),
  },
  { weight: 1, arbitrary: record({ kind: kind('revokeKey'), client, key }) },
  {
    weight: 1,
    arbitrary: record({
      kind: kind('subscribe'),
      client,
      plan: fc.constantFrom('standard', 'enterprise'),
      monthlyLimit: fc.integer({ min: 1, max: 6 }),
      status: fc.constantFrom('active', 'active', 'canceled'),
    }),
  },
];

const once: fc.Arbitrary<Command> = fc.oneof(
  ...repeatable,
  ...retention.once,
  { weight: 8, arbitrary: answer },
  { weight: 4, arbitrary: answerTwo },
  { weight: 6, arbitrary: complete },
  { weight: 1, arbitrary: rotateKey },
  {
    weight: 1,
    arbitrary: fc.oneof(
      setReturnAddresses,
      setReasonTemplates,
      setFileAccess,
      setFlowSettings,
      setAppearance,
      setLogo,
    ),
  },
  { weight: 2, arbitrary: wait },
  { weight: 1, arbitrary: expire },
  { weight: 14, arbitrary: webhookCommands(CLIENTS) },
  { weight: 18, arbitrary: singleExportCommands(CLIENTS) },
  { weight: 12, arbitrary: handOverCommands(CLIENTS) },
  { weight: 6, arbitrary: readingCommands(CLIENTS) },
  { weight: 6, arbitrary: indexCommands(CLIENTS) },
  { weight: 5, arbitrary: mailCommands(CLIENTS) },
);
const repeated: fc.Arbitrary<Command> = fc.oneof(...repeatable);
/** Commands that touch nothing but their client. */
const ofOneClient: fc.Arbitrary<Command> = fc.oneof(
  ...repeatable,
  { weight: 8, arbitrary: answer },
  { weight: 4, arbitrary: answerTwo },
  { weight: 6, arbitrary: complete },
);

const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 6, arbitrary: record({ how: kind('one'), command: once }) },
  // A change is decided again at most five times, so more calls at once could lose by chance.
  {
    weight: 2,
    arbitrary: record({ how: kind('same'), command: repeated, times: fc.integer({ min: 2, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.array(ofOneClient, { minLength: CLIENTS, maxLength: CLIENTS }).map((commands) => ({
      how: 'apart' as const,
      commands: commands.map((command, index) => ({ ...command, client: index })),
    })),
  },
);

/** Sequences of `length` turns. */
export const sequences = (length: number): fc.Arbitrary<readonly Turn[]> =>
  fc.array(turn, { minLength: length, maxLength: length });

/** Lists the commands of a turn, as often as they run. */
export function commandsOf(turn: Turn): readonly Command[] {
  switch (turn.how) {
    case 'one':
      return [turn.command];
    case 'same':
      return Array.from({ length: turn.times }, () => turn.command);
    case 'apart':
      return turn.commands;
    default:
      return turn satisfies never;
  }
}
