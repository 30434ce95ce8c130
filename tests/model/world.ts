import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type Countersign, createCountersign, type HandOver, type SubjectAccess } from '@countersign/domain';
import type { Logo } from '@countersign/domain/clients';
import type { ReleasedExport } from '@countersign/domain/exports';
import { currentFlow, placesOf, type StepKey, stepOf, stepsOf } from '@countersign/domain/flows';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import {
  createFixedClock,
  createMemoryMailer,
  createMemoryRateLimiter,
  createMemoryStaff,
  type FixedClock,
  type MemoryMailer,
} from '@countersign/memory';
import { createNodeSecrets } from '@countersign/runtime';
import { type createKeyRing, createSealedStorage, createSealing } from '@countersign/sealing';
import { answerStep, answerSteps } from '@countersign/test-support/service/answers';
import { type Operations, operationsOf, reviewAs } from '@countersign/test-support/service/operations';
import { type Command, LIVE_CLIENTS } from './commands.ts';
import { runOnExport } from './exports.ts';
import { runOnHandOver } from './hand-overs.ts';
import { runBeside, runOnIndex } from './indexes.ts';
import { drainMails, runOnMails } from './mails.ts';
import { READING, runOnReading } from './readings.ts';
import { MODEL_RETENTION, runOnData, runRetention } from './retention.ts';
import { runOnWebhooks } from './webhooks.ts';

/** One service in a comparison: the same domain over one of the storages. */
export interface World {
  readonly storage: Storage;
  /** The same storage, which seals if the service does. */
  readonly sealed: Storage;
  readonly countersign: Countersign;
  readonly commandLine: Operations;
  readonly clock: FixedClock;
  readonly clients: readonly WorldClient[];
  readonly mailer: MemoryMailer;
  /** The last release of the export of each verification. */
  readonly released: Map<string, ReleasedExport>;
  /** The last hand-over code of each verification. */
  readonly handedOver: Map<string, HandOver>;
  /** Returns a new id of this run. */
  readonly nextId: () => string;
  /** Runs one call of a turn; ids are those of the call meanwhile. Turns begin with 1. */
  readonly duringCall: <T>(turn: number, call: number, action: () => Promise<T>) => Promise<T>;
}

interface WorldClient {
  readonly id: string;
  readonly mode: 'live' | 'test';
  /** In the order in which they were made. */
  readonly verifications: string[];
  readonly keys: { readonly id: string; readonly value: string }[];
}

type KeyRing = ReturnType<typeof createKeyRing>;

/** A service that takes part in a comparison. */
export interface Participant {
  readonly name: string;
  readonly storage: Storage;
  readonly keys: KeyRing | 'none';
}

/** Days after which even a link that was just renewed ended 30 days ago. */
const ABANDONED_DAYS = 61;

/** A sequence begins on 1 March. A key that was made before expires six days later. */
const BEFORE_START = '2026-02-05T10:00:00.000Z';
const START = '2026-03-01T10:00:00.000Z';

/**
 * Creates a service for one sequence, with clients of its own: other sequences may have used the storage before.
 * @param run different for each sequence; the ids of its records begin with it
 */
export async function createWorld({ storage, keys }: Participant, run: number): Promise<World> {
  const clock = createFixedClock(BEFORE_START);
  const { nextId, duringCall } = createIds(run);
  await drainMails(storage);
  const mailer = createMemoryMailer();
  const staff = createMemoryStaff({ clock, ids: { next: nextId } });
  const countersign = createCountersign(
    {
      storage,
      mailer,
      staff,
      recipients: staff,
      sealing: keys === 'none' ? 'none' : createSealing({ keys }),
      reader: { read: async () => READING },
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: { next: nextId },
      secrets: createNodeSecrets([createHash('sha256').update('model').digest()]),
    },
    { publicBaseUrl: 'https://verify.example', retention: MODEL_RETENTION },
  );
  const clients: WorldClient[] = [];
  const twins: string[] = [];
  async function add(id: string, mode: WorldClient['mode']): Promise<void> {
    await countersign.clients.setReturnAddresses(id, [0, 1].map(returnAddress));
    await countersign.apiKeys.issue(id, { permissions: ['*'], expiresInDays: 30 });
    const { key, value } = await countersign.apiKeys.issue(id, { permissions: ['*'] });
    clients.push({ id, mode, verifications: [], keys: [{ id: key.id, value }] });
  }
  for (let n = 1; n <= LIVE_CLIENTS; n += 1) {
    const { client, test } = await countersign.clients.create({
      name: `Client ${n}`,
      plan: 'standard',
      monthlyLimit: n,
    });
    twins.push(test.id);
    await add(client.id, 'live');
    staff.add({
      id: nextId(),
      email: `owner${n}@example.org`,
      name: 'Owner',
      role: 'client',
      clientId: client.id,
      teamRole: 'owner',
    });
  }
  for (const id of twins.slice(0, 1)) await add(id, 'test');
  clock.advance(Date.parse(START) - Date.parse(BEFORE_START));
  const commandLine = operationsOf(countersign.as({ kind: 'command_line' }));
  return {
    storage,
    sealed: keys === 'none' ? storage : createSealedStorage(storage, { keys }),
    countersign,
    commandLine,
    clock,
    clients,
    mailer,
    released: new Map(),
    handedOver: new Map(),
    nextId,
    duringCall,
  };
}

/**
 * Creates ids whose order does not depend on how calls at once interleave: they are made of the turn, the call in it and a number of
 * the call. Mails that are due at the same time are sent in the order of their ids.
 */
function createIds(run: number): Pick<World, 'nextId' | 'duringCall'> {
  const setUp = { turn: 0, call: 0, ids: 0 };
  const calls = new AsyncLocalStorage<typeof setUp>();
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return {
    nextId() {
      const current = calls.getStore() ?? setUp;
      current.ids += 1;
      const { turn, call, ids } = current;
      return `${hex(run, 8)}-0000-7000-8000-${hex(turn, 4)}${hex(call, 2)}${hex(ids, 6)}`;
    },
    duringCall: (turn, call, action) => calls.run({ turn, call, ids: 0 }, action),
  };
}

function modelLogo(n: number): Logo {
  return { id: String(n).repeat(64), width: n + 1, height: 1, content: Uint8Array.of(0, 255, n) };
}

const returnAddress = (n: number): string => `https://shop.example/${n}`;

/** Reads what the command needs, and returns the function that runs it. Commands that run at the same time are prepared before. */
export async function prepare(world: World, command: Command): Promise<() => Promise<unknown>> {
  const client = world.clients[command.client];
  if (client === undefined) throw new Error(`no client ${command.client}`);
  switch (command.kind) {
    case 'create':
    case 'list':
    case 'issueKey':
    case 'rotateKey':
    case 'revokeKey':
    case 'subscribe':
    case 'setReturnAddresses':
    case 'setReasonTemplates':
    case 'setFileAccess':
    case 'setFlowSettings':
    case 'setAppearance':
    case 'setLogo':
    case 'wait':
    case 'expire':
    case 'mail':
    case 'noticeKeys':
    case 'endpoint':
    case 'send':
    case 'setPolicy':
    case 'retain':
    case 'rebuildIndex':
    case 'addIndexKey':
    case 'removeIndexKey':
      return () => runOnClient(world, client, command);
    default: {
      const id = at(client.verifications, command.verification);
      const record = id === undefined ? null : await world.storage.verifications.findForAnyClient(id);
      if (record === null) return async () => 'no verification';
      return () => runOnVerification(world, client, record, command);
    }
  }
}

type OnVerification = Extract<Command, { readonly verification: number }>;
type OnClient = Exclude<Command, OnVerification>;

async function runOnClient(world: World, client: WorldClient, command: OnClient): Promise<unknown> {
  const { countersign, clock, commandLine } = world;
  switch (command.kind) {
    case 'create': {
      const principal = await countersign.authenticate(at(client.keys, command.key)?.value);
      const { type: subjectType, subject, idempotencyKey, returnTo, locale, notify } = command;
      const request = {
        subjectType,
        subjectReference: `subject ${subject}`,
        metadata: { subject },
        ...(returnTo !== null && { returnUrl: `${returnAddress(returnTo)}/done?subject=${subject}` }),
        ...(locale !== null && { locale }),
        ...(notify !== null && { notify: { email: `subject+${notify}@example.org` } }),
      };
      const options = idempotencyKey === null ? {} : { idempotencyKey: `request ${idempotencyKey}` };
      const created = await countersign.verifications.create(principal, request, options);
      const { id } = created.verification;
      if (!client.verifications.includes(id)) client.verifications.push(id);
      return created;
    }
    case 'list': {
      const principal = await countersign.authenticate(at(client.keys, command.key)?.value);
      return countersign.verifications.list(principal, {
        ...(command.status !== null && { status: command.status }),
      });
    }
    case 'issueKey': {
      const { permission, expiresInDays } = command;
      const issued = await commandLine.clientKeys.issue(client.id, { permissions: [permission], expiresInDays });
      client.keys.push({ id: issued.key.id, value: issued.value });
      return issued;
    }
    case 'rotateKey': {
      const issued = await countersign.apiKeys.rotate(client.id, at(client.keys, command.key)?.id ?? '', 30, null);
      client.keys.push({ id: issued.key.id, value: issued.value });
      return issued;
    }
    case 'revokeKey':
      return commandLine.clientKeys.revoke(client.id, at(client.keys, command.key)?.id ?? '');
    case 'subscribe': {
      const { plan, monthlyLimit, status } = command;
      return commandLine.clients.setSubscription(client.id, { plan, monthlyLimit, status });
    }
    case 'setReturnAddresses':
      return commandLine.clients.setReturnAddresses(client.id, command.numbers.map(returnAddress));
    case 'setReasonTemplates': {
      const ask = command.names.map((n) => ({ name: `Template ${n}`, de: `Bitte ${n}` }));
      return commandLine.clients.setReasonTemplates(client.id, { ask });
    }
    case 'setFileAccess':
      return countersign.clients.setFileAccess(client.id, command.fileAccess);
    case 'setFlowSettings': {
      const { isAsked, minimumAge, linkDays } = command;
      return countersign.flowSettings.change(client.id, {
        placeOfBirth: isAsked,
        proofOfAddress: !isAsked,
        readingIsAdvice: isAsked,
        familyNameIndex: false,
        warningsInDetails: false,
        ...(minimumAge !== null && { minimumAge }),
        ...(linkDays !== null && { linkDays }),
      });
    }
    case 'setAppearance':
      return countersign.appearances.change(client.id, {
        ...(command.displayName !== null && { displayName: `Shop ${command.displayName}` }),
        ...(command.colour !== null && { colour: `#00000${command.colour}` }),
      });
    case 'setLogo':
      return world.storage.appearances.setLogo(client.id, command.logo === null ? null : modelLogo(command.logo));
    case 'wait':
      clock.advance(command.hours * 3_600_000);
      return 'waited';
    case 'expire':
      clock.advance(ABANDONED_DAYS * 86_400_000);
      return countersign.expiry.expire();
    case 'mail':
    case 'noticeKeys':
      return runOnMails(world, command);
    case 'endpoint':
    case 'send':
      return runOnWebhooks(world, client, command);
    case 'setPolicy':
    case 'retain':
      return runRetention(world, client.id, command);
    case 'rebuildIndex':
    case 'addIndexKey':
    case 'removeIndexKey':
      return runOnIndex(world.sealed, client.id, command);
    default:
      return command satisfies never;
  }
}

async function runOnVerification(
  world: World,
  client: WorldClient,
  record: VerificationRecord,
  command: OnVerification,
): Promise<unknown> {
  const { id, type, version, linkVersion, currentStep } = record;
  const { countersign, commandLine } = world;
  const { subject } = countersign;
  const access: SubjectAccess = { verificationId: id, linkVersion };
  const steps = stepsOf(currentFlow(type));
  const next = steps[currentStep] ?? steps.at(-1) ?? 'consent';
  switch (command.kind) {
    case 'read': {
      const principal = await countersign.authenticate(at(client.keys, command.key)?.value);
      return countersign.verifications.details(principal, id);
    }
    case 'answer':
      return answerStep(countersign, access, command.step === null ? next : (at(steps, command.step) ?? next));
    case 'answerTwo': {
      const after = steps[steps.indexOf(next) + 1];
      const isWithout =
        after !== undefined && placesOf(stepOf(currentFlow(type), after)?.fields ?? {}).length === 0;
      return answerSteps(countersign, access, isWithout ? [next, after] : [next]);
    }
    case 'consent':
      return subject.completeStep(access, 'consent', {
        accepted: true,
        version: `${command.version}`,
        locale: 'en',
      });
    case 'draft':
      return subject.saveDraft(access, draftOf(next, command.isValid));
    case 'attach':
      return subject.attachFile(access, {
        step: 'selfie',
        kind: 'selfie',
        contentType: 'image/png',
        size: 7,
        sha256: 'cd'.repeat(32),
      });
    case 'complete': {
      for (const step of steps.slice(currentStep)) {
        const isFirst = (await subject.read(access)).steps[step] === undefined;
        if (isFirst || step === next) await answerStep(countersign, access, step);
      }
      return subject.submit(access);
    }
    case 'submit':
      return subject.submit(access);
    case 'review':
      return reviewed(countersign, command, {
        verificationId: id,
        version: command.isLate ? version - 1 : version,
      });
    case 'withdraw': {
      if (command.key === null) return commandLine.verifications.withdraw(id);
      const principal = await countersign.authenticate(at(client.keys, command.key)?.value);
      return countersign.verifications.withdraw(principal, id);
    }
    case 'handOver':
      return runOnHandOver(world, access, command);
    case 'readDocument':
      return runOnReading(countersign, access);
    case 'export':
      return runOnExport(world, access, command);
    case 'saveLabels':
    case 'noteWarnings':
      return runBeside(world.sealed, record, command);
    case 'renewLink':
      return commandLine.verifications.renewLink(id);
    case 'hold':
    case 'releaseHold':
    case 'endRelationship':
    case 'eraseData':
      return runOnData(world, { id, keyOf: (key) => at(client.keys, key)?.value }, command);
    default:
      return command satisfies never;
  }
}

function reviewed(
  countersign: Countersign,
  { move, reviewer }: Extract<Command, { readonly kind: 'review' }>,
  seen: { readonly verificationId: string; readonly version: number },
): Promise<unknown> {
  const review = reviewAs(countersign, `reviewer-${reviewer}`);
  switch (move) {
    case 'note':
      return review.note(seen, 'Looks fine');
    case 'reject':
      return review.reject({ ...seen, internalNote: 'No' }, { reasonCodes: ['data_mismatch'] });
    case 'ask':
      return review.askForAction(seen, {
        items: [{ step: 'consent', reasonCode: 'other', note: 'Again, please' }],
      });
    default:
      return review[move](seen);
  }
}

function draftOf(step: StepKey, isValid: boolean): { step: string; fields: string[]; input: object } {
  const input = isValid ? { accepted: true } : { accepted: 'maybe' };
  return { step, fields: ['accepted'], input };
}

/** Returns an entry by its number, beginning again after the last. */
function at<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}
