import type { AuditQuery, Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenLines, linesListed, linesRead } from '../records/audit.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** The log as it is looked through, the newest first, and as it is verified, from its beginning on. */
export const auditReadsSuite: Suite = suiteOf('audit reads', {
  'the newest are listed first, as many as asked for': async (storage) => {
    await givenTwelve(storage);

    expect(await linesListed(storage)).toEqual(range(1, 12).reverse());
    expect(await linesListed(storage, { limit: 3 })).toEqual([12, 11, 10]);
    expect(await linesListed(storage, { limit: 12 })).toHaveLength(12);
  },

  'a list goes on before any line': async (storage) => {
    await givenTwelve(storage);

    expect(await linesListed(storage, { before: 10, limit: 3 })).toEqual([9, 8, 7]);
    expect(await linesListed(storage, { before: 2 })).toEqual([1]);
    for (const before of [1, 0]) expect(await linesListed(storage, { before })).toEqual([]);
    expect(await linesListed(storage, { before: 2 ** 53 - 1, limit: 1 })).toEqual([12]);
  },

  'by who acted': async (storage) => {
    await givenTwelve(storage);

    expect(await linesListed(storage, { actorId: 'staff-1' })).toEqual([10, 7, 4, 1]);
    expect(await linesListed(storage, { actorId: 'staff-2' })).toEqual([11, 8, 5, 2]);
    for (const nobody of ['staff-3', 'staff', 'STAFF-1', 'staff_1', '', 'null', '\u0000', '🦉']) {
      expect(await linesListed(storage, { actorId: nobody }), nobody).toEqual([]);
    }
  },

  'by client': async (storage) => {
    await givenTwelve(storage);

    expect(await linesListed(storage, { clientId: clientId(1) })).toEqual([9, 5, 1]);
    expect(await linesListed(storage, { clientId: clientId(2) })).toEqual([10, 6, 2]);
    for (const nobody of [clientId(3), verificationId(1), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
      expect(await linesListed(storage, { clientId: nobody }), nobody).toEqual([]);
    }
  },

  'by action and by outcome': async (storage) => {
    await givenTwelve(storage);

    expect(await linesListed(storage, { action: 'api_keys.create' })).toEqual([12, 10, 8, 6, 4, 2]);
    expect(await linesListed(storage, { action: 'api_keys.rotate' })).toEqual([]);
    expect(await linesListed(storage, { outcome: 'allowed' })).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await linesListed(storage, { outcome: 'refused' })).toEqual([11, 10, 9, 8, 7]);
    expect(await linesListed(storage, { outcome: 'failed' })).toEqual([12]);
  },

  'by all filters together, page by page': async (storage) => {
    await givenTwelve(storage);
    const given: Partial<AuditQuery> = { actorId: 'staff-1', clientId: clientId(2), action: 'api_keys.create' };

    expect(await linesListed(storage, { ...given, outcome: 'refused' })).toEqual([10]);
    for (const other of [
      { actorId: 'staff-2' },
      { clientId: clientId(1) },
      { action: 'api_keys.revoke' },
      { outcome: 'allowed' },
      { before: 10 },
    ] as const) {
      expect(await linesListed(storage, { ...given, outcome: 'refused', ...other })).toEqual([]);
    }
    const page = { action: 'api_keys.revoke', outcome: 'allowed' } as const;
    expect(await linesListed(storage, { ...page, limit: 2 })).toEqual([5, 3]);
    expect(await linesListed(storage, { ...page, limit: 2, before: 3 })).toEqual([1]);
  },

  'the chain is read from any line on, in its order and without gaps': async (storage) => {
    await givenTwelve(storage);

    expect(await linesRead(storage, 0, 100)).toEqual(range(1, 12));
    const pages: number[] = [];
    for (const after of [0, 5, 10]) pages.push(...(await linesRead(storage, after, 5)));
    expect(pages).toEqual(range(1, 12));
    expect(await linesRead(storage, 8, 1)).toEqual([9]);
    for (const after of [12, 13, 2 ** 31, 2 ** 53 - 1]) expect(await linesRead(storage, after, 5)).toEqual([]);
  },
});

/**
 * By turns of two staff members and nobody, about two clients and none; every other one creates a key, the first half
 * is allowed, the last one failed. Clocks went back all the while: not they order the lines.
 */
async function givenTwelve(storage: Storage): Promise<void> {
  await givenLines(storage, 12, (n) => ({
    at: minute(100 - n),
    actor: n % 3 === 0 ? { kind: 'nobody', id: null } : { kind: 'client', id: `staff-${n % 3}` },
    clientId: n % 4 === 1 || n % 4 === 2 ? clientId(n % 4) : null,
    action: n % 2 === 0 ? 'api_keys.create' : 'api_keys.revoke',
    outcome: n <= 6 ? 'allowed' : n === 12 ? 'failed' : 'refused',
  }));
}
