import type { ApiKey, VerificationEvent } from '@countersign/domain';
import type { ClientWithSubscription } from '@countersign/domain/clients';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { APRIL, MARCH } from './ids.ts';
import { aQuery } from './queries.ts';
import { wholeOf } from './verifications.ts';

export interface ClientPicture extends ClientWithSubscription {
  readonly used: { readonly march: number; readonly april: number };
  readonly keys: readonly ApiKey[];
  readonly verifications: readonly (VerificationRecord | undefined)[];
  readonly events: readonly VerificationEvent[];
}

/** Reads everything that can be read without a change. A call changes nothing if the picture stays the same. */
export async function pictureOf(storage: Storage): Promise<readonly ClientPicture[]> {
  const pictures: ClientPicture[] = [];
  for (const entry of await storage.clients.list()) {
    const { id } = entry.client;
    const used = {
      march: await storage.clients.usedIn(id, MARCH),
      april: await storage.clients.usedIn(id, APRIL),
    };
    const keys = await storage.apiKeys.list(id);
    const { records } = await storage.verifications.list(id, aQuery({ sortBy: 'subjectReference' }));
    const whole = await Promise.all(records.map((record) => wholeOf(storage, record.id)));
    const events = whole.flatMap((each) => each?.events ?? []);
    pictures.push({ ...entry, used, keys, verifications: whole.map((each) => each?.record), events });
  }
  return pictures;
}

/** Expects that `act` changes nothing that can be read. */
export async function expectUnchanged(storage: Storage, act: () => Promise<unknown>): Promise<void> {
  const before = structuredClone(await pictureOf(storage));
  await act();
  expect(await pictureOf(storage)).toEqual(before);
}
