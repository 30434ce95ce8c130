import type {
  ApiKey,
  ClientWithSubscription,
  Storage,
  VerificationEvent,
  VerificationRecord,
} from '@countersign/domain';
import { expect } from 'vitest';
import { APRIL, MARCH } from './ids.ts';
import { aQuery } from './queries.ts';

export interface ClientPicture extends ClientWithSubscription {
  readonly used: { readonly march: number; readonly april: number };
  readonly keys: readonly ApiKey[];
  readonly verifications: readonly (VerificationRecord | undefined)[];
  readonly events: readonly VerificationEvent[];
}

/** All that can be read without changing anything: "changes nothing" means that this is the same as before. */
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
    const whole = await Promise.all(records.map((record) => storage.verifications.findWithEvents(id, record.id)));
    const events = whole.flatMap((each) => each?.events ?? []);
    pictures.push({ ...entry, used, keys, verifications: whole.map((each) => each?.record), events });
  }
  return pictures;
}

/** Runs `act`, and expects that nothing that can be read has changed. */
export async function expectUnchanged(storage: Storage, act: () => Promise<unknown>): Promise<void> {
  const before = structuredClone(await pictureOf(storage));
  await act();
  expect(await pictureOf(storage)).toEqual(before);
}
