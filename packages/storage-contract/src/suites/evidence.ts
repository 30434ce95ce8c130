import type { EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';
import { expect } from 'vitest';
import { range, refusalOf } from '../records/at-once.ts';
import { expectCount } from '../records/count.ts';
import { frozen } from '../records/tampering.ts';
import { type Suite, suiteOf } from '../suite.ts';

const LONG_AGO = new Date('2000-01-01T00:00:00Z');
const FAR_AHEAD = new Date('2200-01-01T00:00:00Z');

const place = (fileId: string, verificationId = 'verification-1', clientId = 'client-1'): EvidencePlace =>
  frozen({ clientId, verificationId, fileId });

/** Places that collide if a store joins ids without a separator or ignores one of them. */
const NEIGHBOURS: readonly EvidencePlace[] = [
  place('1'),
  place('2'),
  place('1', 'verification-2'),
  place('1', 'verification-1', 'client-2'),
  place('11'),
  place('1', 'verification-11'),
  place('1', '1verification-1', 'client-'),
];

/** Bytes of every value, different for each `n`. */
function bytes(n: number, length = 1_000): Uint8Array {
  const content = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) content[index] = index + (index >> 8) + 7 * n;
  return content;
}

/** The content of a file as a plain array of bytes, whatever subclass the store uses. */
async function contentAt(store: EvidenceStore, at: EvidencePlace): Promise<Uint8Array | null> {
  const content = await store.get(at);
  return content && Uint8Array.from(content);
}

async function listed(store: EvidenceStore, moment = FAR_AHEAD): Promise<string[]> {
  const names: string[] = [];
  for await (const each of store.listWrittenBefore(moment)) names.push(nameOf(each));
  return names.sort();
}

async function filesOf(store: EvidenceStore, { clientId, verificationId }: EvidencePlace): Promise<string[]> {
  return (await store.filesOf(frozen({ clientId, verificationId }))).map(nameOf).sort();
}

const nameOf = ({ clientId, verificationId, fileId }: EvidencePlace): string =>
  [clientId, verificationId, fileId].join('/');

/** Reading, writing and deleting one file. */
export const evidenceFilesSuite: Suite<EvidenceStore> = suiteOf<EvidenceStore>('evidence files', {
  'get: returns every byte that was put, of small, empty and large files': async (store) => {
    for (const [n, length] of [1_000, 0, 1, 3_000_000].entries()) {
      await store.put(place(`file-${n}`), bytes(n, length));
      expect(Buffer.compare((await store.get(place(`file-${n}`))) ?? bytes(9), bytes(n, length))).toBe(0);
    }
  },
  'get: returns null for a file that was never put': async (store) => {
    expect(await store.get(place('1'))).toBeNull();
    await store.put(place('1'), bytes(1));
    for (const other of NEIGHBOURS.slice(1)) expect(await store.get(other), nameOf(other)).toBeNull();
  },
  'put: keeps files of different clients, verifications and ids apart': async (store) => {
    for (const [n, each] of NEIGHBOURS.entries()) await store.put(each, bytes(n));
    for (const [n, each] of NEIGHBOURS.entries()) expect(await contentAt(store, each)).toEqual(bytes(n));
  },
  'put: stores a part of a buffer': async (store) => {
    await store.put(place('1'), bytes(1).subarray(100, 200));
    expect(await contentAt(store, place('1'))).toEqual(bytes(1).slice(100, 200));
  },
  'put: rejects a place that has a file, and keeps the first content': async (store) => {
    await store.put(place('1'), bytes(1));
    expect(await refusalOf(store.put(place('1'), bytes(2)))).toBeInstanceOf(Error);
    expect(await refusalOf(store.put(place('1'), bytes(1)))).toBeInstanceOf(Error);
    expect(await contentAt(store, place('1'))).toEqual(bytes(1));
  },
  'put: is not changed by what the caller does to the buffer afterwards': async (store) => {
    // `slice` copies an array of bytes, but not a Buffer.
    for (const [n, given] of [bytes(0), Buffer.from(bytes(1))].entries()) {
      await store.put(place(`${n}`), given);
      given.fill(0);
      expect(await contentAt(store, place(`${n}`))).toEqual(bytes(n));
    }
  },
  'get: returns a copy, so that changing it changes nothing in the store': async (store) => {
    await store.put(place('1'), bytes(1));
    (await store.get(place('1')))?.fill(0);
    expect(await contentAt(store, place('1'))).toEqual(bytes(1));
  },
  'delete: removes the file and no other': async (store) => {
    for (const [n, each] of NEIGHBOURS.entries()) await store.put(each, bytes(n));
    await store.delete(NEIGHBOURS[0] ?? place(''));
    expect(await store.get(place('1'))).toBeNull();
    for (const [n, each] of NEIGHBOURS.entries()) {
      expect(await contentAt(store, each)).toEqual(n === 0 ? null : bytes(n));
    }
  },
  'delete: resolves for a file that is not there, or not there any more': async (store) => {
    await store.delete(place('1'));
    await store.put(place('1'), bytes(1));
    await store.delete(place('1'));
    await store.delete(place('1'));
    expect(await store.get(place('1'))).toBeNull();
  },
});

/** Listing files by the time of writing. */
export const evidenceListSuite: Suite<EvidenceStore> = suiteOf<EvidenceStore>('evidence lists', {
  'list: is empty for an empty store': async (store) => {
    expect(await listed(store)).toEqual([]);
  },
  'list: has each file written before the moment once': async (store) => {
    for (const each of NEIGHBOURS) await store.put(each, bytes(1));
    expect(await listed(store)).toEqual(NEIGHBOURS.map(nameOf).sort());
  },
  'list: leaves out files written after the moment': async (store) => {
    await store.put(place('1'), bytes(1));
    expect(await listed(store, LONG_AGO)).toEqual([]);
  },
  'list: leaves out deleted files': async (store) => {
    await store.put(place('1'), bytes(1));
    await store.put(place('2'), bytes(2));
    await store.delete(place('1'));
    expect(await listed(store)).toEqual([nameOf(place('2'))]);
  },
  'list: goes on to the end while its files are deleted': async (store) => {
    const places = range(1, 40).map((n) => place(`${n}`, `verification-${n % 3}`));
    for (const each of places) await store.put(each, bytes(1, 10));
    let count = 0;
    for await (const each of store.listWrittenBefore(FAR_AHEAD)) {
      count += 1;
      await store.delete(each);
    }
    expect([count, await listed(store)]).toEqual([40, []]);
  },
});

/** Listing the files of one verification. */
export const evidenceOfVerificationSuite: Suite<EvidenceStore> = suiteOf<EvidenceStore>(
  'evidence of a verification',
  {
    'filesOf: is empty for a verification without files, and for a text that cannot be an id': async (store) => {
      for (const id of ['verification-1', '', '..', '../client-2', 'x'.repeat(300)]) {
        expect(await filesOf(store, place('1', id)), id).toEqual([]);
        expect(await filesOf(store, place('1', 'verification-1', id)), id).toEqual([]);
      }
    },
    'filesOf: has every file of the verification, and none of its neighbours': async (store) => {
      for (const each of NEIGHBOURS) await store.put(each, bytes(1));
      for (const each of NEIGHBOURS) {
        const { clientId, verificationId } = each;
        const own = NEIGHBOURS.filter((one) => one.clientId === clientId && one.verificationId === verificationId);
        expect(await filesOf(store, each)).toEqual(own.map(nameOf).sort());
      }
    },
    'filesOf: leaves out deleted files, and has those put again': async (store) => {
      await store.put(place('1'), bytes(1));
      await store.put(place('2'), bytes(2));
      await store.delete(place('1'));
      expect(await filesOf(store, place('1'))).toEqual([nameOf(place('2'))]);
      await store.delete(place('2'));
      expect(await filesOf(store, place('1'))).toEqual([]);
      await store.put(place('3'), bytes(3));
      expect(await filesOf(store, place('1'))).toEqual([nameOf(place('3'))]);
    },
  },
);

/** Callers that write and delete at the same time. */
export const evidenceAtOnceSuite: Suite<EvidenceStore> = suiteOf<EvidenceStore>('concurrent evidence', {
  'put: of many at one place, one succeeds and its content is kept': async (store) => {
    const outcomes = await Promise.allSettled(range(0, 11).map((n) => store.put(place('1'), bytes(n))));
    const winners = range(0, 11).filter((n) => outcomes[n]?.status === 'fulfilled');
    expectCount(winners, 1);
    expect(await contentAt(store, place('1'))).toEqual(bytes(winners[0] ?? -1));
  },
  'put: is kept while the last other file of its verification is deleted': async (store) => {
    const rounds = range(1, 40).map(async (n) => {
      await store.put(place(`gone-${n}`), bytes(n));
      await store.delete(place(`gone-${n}`));
      await store.put(place(`kept-${n}`), bytes(n));
    });
    await Promise.all(rounds);
    for (const n of range(1, 40)) expect(await contentAt(store, place(`kept-${n}`))).toEqual(bytes(n));
    expectCount(await listed(store), 40);
  },
  'get: returns the whole file or null while it is put': async (store) => {
    const large = bytes(1, 500_000);
    const put = store.put(place('1'), large);
    const read = await Promise.all(range(1, 20).map(() => store.get(place('1'))));
    await put;
    for (const content of read) expect([null, large.length]).toContain(content?.length ?? null);
    expect((await store.get(place('1')))?.length).toBe(large.length);
  },
});

/** The suites of `evidenceStoreContract`, for mutation tests. */
export const EVIDENCE_SUITES: readonly Suite<EvidenceStore>[] = [
  evidenceFilesSuite,
  evidenceListSuite,
  evidenceOfVerificationSuite,
  evidenceAtOnceSuite,
];
