import type { ReadingRecord, Storage } from '@countersign/domain/storage';
import { erasedReadingsSuite, readingsSuite } from '../../src/suites/readings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, readings, roundTrip, toSeconds, uuidOnly } from './patch.ts';

const { save, find, remove } = readings;

const shows = (change: (reading: ReadingRecord) => Partial<ReadingRecord>): Break =>
  find.result((found) => found.map((reading) => ({ ...reading, ...change(reading) })));

const ownerOf = (storage: Storage, { verificationId }: Pick<ReadingRecord, 'verificationId'>) =>
  storage.verifications.findForAnyClient(verificationId);

/** Stores at whatever version the verification has. */
const anyVersion = save.override(async ({ next, storage }, reading) => {
  const owner = await ownerOf(storage, reading);
  return next(reading, owner?.version ?? 0);
});

const readingsMutants: readonly Mutant[] = mutantsOf(readingsSuite, {
  'keeps seconds': shows(({ readAt }) => ({ readAt: toSeconds(readAt) })),
  'returns readings in the reverse order': find.result((found) => [...found].reverse()),
  'returns the last reading alone': find.result((found) => found.slice(-1)),
  'finds readings of any client': find.override(async ({ next, storage }, place) => {
    const owner = await ownerOf(storage, place);
    return next({ ...place, clientId: owner?.clientId ?? place.clientId });
  }),
  'keeps the first reading': save.override(async ({ next, storage }, reading, version) => {
    const found = await storage.readings.find(reading);
    return found.some(({ fileId }) => fileId === reading.fileId) || next(reading, version);
  }),
  'keeps the time of the first reading': save.override(async ({ next, storage }, reading, version) => {
    const before = (await storage.readings.find(reading)).find(({ fileId }) => fileId === reading.fileId);
    return next({ ...reading, readAt: before?.readAt ?? reading.readAt }, version);
  }),
  'keeps one reading of a verification': save.override(async ({ next, storage }, reading, version) => {
    await storage.readings.remove(await storage.readings.find(reading));
    return next(reading, version);
  }),
  'stores at any version': anyVersion,
  'stores at an earlier version': save.override(async ({ next, storage }, reading, version) => {
    const owner = await ownerOf(storage, reading);
    return next(reading, Math.max(version, owner?.version ?? 0));
  }),
  'stores at no version but the first': save.override(
    async ({ next }, reading, version) => version === 1 && next(reading, version),
  ),
  'checks the version, then stores': save.override(async ({ next, storage }, reading, version) => {
    const owner = await ownerOf(storage, reading);
    if (owner?.version !== version || owner.clientId !== reading.clientId) return false;
    await roundTrip();
    const current = await ownerOf(storage, reading);
    return next(reading, current?.version ?? version);
  }),
  'refuses readings at once': save.oneAtATime(async () => false),
  'throws for other ids of files when it removes': remove.before((places) => {
    for (const { fileId } of places) uuidOnly(fileId);
  }),
  'removes the first file alone': remove.override(({ next }, places) => next(places.slice(0, 1))),
  'removes all readings of the verification': remove.override(async ({ next, storage }, places) => {
    for (const place of places) await next(await storage.readings.find(place));
  }),
  'removes readings of any client': remove.override(async ({ next, storage }, places) => {
    const owned = await Promise.all(
      places.map(async (place) => {
        const owner = await ownerOf(storage, place).catch(() => null);
        return { ...place, clientId: owner?.clientId ?? place.clientId };
      }),
    );
    return next(owned);
  }),
  'throws when there is nothing to remove': remove.override(async ({ next, storage }, places) => {
    for (const place of places) {
      const found = await storage.readings.find(place);
      if (!found.some(({ fileId }) => fileId === place.fileId)) throw new Error('nothing to remove');
    }
    return next(places);
  }),
});

const erasedReadingsMutants: readonly Mutant[] = mutantsOf(erasedReadingsSuite, {
  'stores while an erasure is running': save.override(async ({ next, storage }, reading, version) => {
    const isStored = await next(reading, version);
    return isStored || (await ownerOf(storage, reading))?.version === version;
  }),
});

export const READING_MUTANTS: readonly Mutant[] = [...readingsMutants, ...erasedReadingsMutants];
