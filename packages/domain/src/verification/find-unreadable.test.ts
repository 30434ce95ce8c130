import { describe, expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { file, pending } from '../../test-support/verifications.ts';
import { findUnreadable, type InspectedStorage, inspectVerifications } from './find-unreadable.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { toRecord } from './verification-record.ts';
import type { BrowsePosition } from './verification-repository.ts';

const FILES = [file('selfie', 'selfie')];

/** A storage with so many verifications of one client, `0` to `total - 1`. */
function given(total: number) {
  const positions: (BrowsePosition | undefined)[] = [];
  const records = Array.from({ length: total }, (_, index) =>
    toRecord({ ...pending(), id: String(index), files: FILES }),
  );
  const client = aClient();
  const storage: InspectedStorage = {
    clients: { list: async () => [{ client, subscription: null }] },
    verifications: {
      browse: async (_clientId, { after, limit }) => {
        positions.push(after);
        const start = after === undefined ? 0 : Number(after.id) + 1;
        return { records: records.slice(start, start + limit), totalCount: total };
      },
      findForAnyClient: async (id) => {
        if (id === 'sealed') throw new Error('unknown key');
        return records.find((record) => record.id === id) ?? null;
      },
    },
  };
  return { storage, records, positions };
}

async function inspected(storage: InspectedStorage) {
  const found = [];
  for await (const each of inspectVerifications(storage, BUILT_IN_FLOWS)) found.push(each);
  return found;
}

describe('inspectVerifications', () => {
  it.each([
    [0, 1],
    [21, 1],
    [49, 1],
    [50, 2],
    [51, 2],
  ])('of %i verifications: reads each once, in %i pages', async (total, pages) => {
    const { storage, positions, records } = given(total);
    const found = await inspected(storage);
    expect(found.map(({ verificationId }) => verificationId)).toEqual(records.map(({ id }) => id));
    expect(positions).toHaveLength(pages);
  });

  it('lists the files of a verification; of one that was read too late, none', async () => {
    const { storage, records } = given(2);
    const read = storage.verifications.findForAnyClient;
    const verifications = {
      ...storage.verifications,
      findForAnyClient: async (id: string) => (id === '1' ? null : read(id)),
    };
    expect(records).toHaveLength(2);
    expect(await inspected({ ...storage, verifications })).toEqual([
      { outcome: 'readable', clientId: 'client-1', verificationId: '0', files: FILES },
      { outcome: 'readable', clientId: 'client-1', verificationId: '1', files: [] },
    ]);
  });
});

it('findUnreadable: names those that cannot be read, and why', async () => {
  const { storage, records } = given(3);
  records[1] = { ...(records[1] as (typeof records)[0]), id: 'sealed' };
  const found = [];
  for await (const each of findUnreadable(storage, BUILT_IN_FLOWS)) found.push(each);
  expect(found).toEqual([{ clientId: 'client-1', verificationId: 'sealed', fault: new Error('unknown key') }]);
});
