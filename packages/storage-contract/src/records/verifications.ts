import type { VerificationEvent } from '@countersign/domain';
import { monthOf } from '@countersign/domain/clients';
import {
  type CreateOutcome,
  type CreateRequest,
  type KeptLabels,
  type KeptWarnings,
  MAX_EVENTS,
  type Mail,
  type Storage,
  type VerificationLabels,
  type VerificationRecord,
  type VerificationWithEvents,
} from '@countersign/domain/storage';
import { expect } from 'vitest';
import { givenClient } from './clients.ts';
import { eventOf } from './events.ts';
import { clientId } from './ids.ts';
import { aRecord, inState, WAY_TO } from './records.ts';

/** Creates a record with its event, charged to the month it was requested in; the allowance is 1,000 by default. */
export function createCharged(
  storage: Storage,
  record: VerificationRecord,
  given: Partial<Omit<CreateRequest, 'record'>> = {},
): Promise<CreateOutcome> {
  const { event = eventOf(record), month = monthOf(record.requestedAt), allowance = 1_000, mails } = given;
  return storage.verifications.createCharged({ record, event, month, allowance, mails });
}

/** Commits a record over the version before it, by default with its event. */
export function commit(
  storage: Storage,
  record: VerificationRecord,
  given: {
    expectedVersion?: number;
    events?: readonly VerificationEvent[];
    mails?: readonly Mail[];
    labels?: VerificationLabels | KeptLabels;
    kept?: KeptWarnings;
  } = {},
): Promise<{ outcome: 'committed' | 'conflict' }> {
  const { expectedVersion = record.version - 1, events = [eventOf(record)], mails, labels, kept } = given;
  return storage.verifications.commit({ record, expectedVersion, events, mails, labels, kept });
}

/** Reads a verification of any client with all its events. */
export function wholeOf({ verifications }: Storage, id: string): Promise<VerificationWithEvents | null> {
  return verifications.findWithEventsForAnyClient(id, MAX_EVENTS);
}

/** Creates a verification, moves it into its state and returns the stored record. */
export async function givenVerification(
  storage: Storage,
  n: number,
  given: Partial<VerificationRecord> = {},
): Promise<VerificationRecord> {
  const target = aRecord(n, given);
  for (const [index, status] of WAY_TO[target.status].entries()) {
    const version = index + 1;
    const { type, requestedAt } = target;
    const before = { ...target, ...inState(status, type, requestedAt), version, eventCount: version };
    const record = status === target.status ? target : before;
    const { outcome } = version === 1 ? await createCharged(storage, record) : await commit(storage, record);
    expect(outcome, 'set-up of the case: verifications.createCharged or commit').toBe(
      version === 1 ? 'created' : 'committed',
    );
  }
  return target;
}

/** Creates verifications `first` to `last`, pending by default, and returns the stored records. */
export async function givenVerifications(
  storage: Storage,
  [first, last]: readonly [number, number],
  given: Partial<VerificationRecord> = {},
): Promise<VerificationRecord[]> {
  const records: VerificationRecord[] = [];
  for (let n = first; n <= last; n += 1) records.push(await givenVerification(storage, n, given));
  return records;
}

/** Creates a verification that is submitted at the time of its request. @param at ISO 8601 */
export function givenSubmitted(
  storage: Storage,
  n: number,
  at: string,
  given: Partial<VerificationRecord> = {},
): Promise<VerificationRecord> {
  const submittedAt = new Date(at);
  return givenVerification(storage, n, { ...given, status: 'submitted', requestedAt: submittedAt, submittedAt });
}

/** Creates verifications 1 and 2 of the first client, and 3 of the second, with their clients. */
export async function givenOfTwoClients(storage: Storage): Promise<readonly VerificationRecord[]> {
  await givenClient(storage);
  await givenClient(storage, 2);
  const first = await givenVerification(storage, 1);
  const second = await givenVerification(storage, 2);
  return [first, second, await givenVerification(storage, 3, { clientId: clientId(2) })];
}
