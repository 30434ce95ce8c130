import type { AuditEntry } from '@countersign/domain';
import { createVerifyErasures, type Erasure, hashOfNothing } from '@countersign/domain/retention';
import { describe, expect, it } from 'vitest';
import { given } from './given-erasures.ts';

describe('the check of receipts', () => {
  async function erasedTwo() {
    const at = await given();
    for (const id of ['one', 'two']) await at.withdrawn(id);
    for (const id of ['one', 'two']) await at.request(id);
    const { retention, audit, secrets, clock } = at;
    const { verifications } = at.storage;
    const list = async ({
      before = Number.MAX_SAFE_INTEGER,
      limit,
    }: {
      before: number | undefined;
      limit: number;
    }) =>
      audit
        .filter(({ sequence }) => sequence < before)
        .toReversed()
        .slice(0, limit);
    return { at, verify: createVerifyErasures({ retention, verifications, audit: { list }, secrets, clock }) };
  }

  it('finds each erasure as it was left, also one that had nothing to remove', async () => {
    const { at, verify } = await erasedTwo();
    await at.log?.append({ ...at.place('unknown'), at: at.clock.now() });
    await at.applyLog();
    expect(await verify()).toEqual({ outcome: 'intact', erasures: 3 });
  });

  it('finds a verification that was changed after its erasure, and one that is gone', async () => {
    const { at, verify } = await erasedTwo();
    const { storedTraces } = at.storage.retention;
    Object.assign(at.retention, {
      storedTraces: async (place: Parameters<typeof storedTraces>[0]) => {
        const traces = await storedTraces(place);
        return place.verificationId === 'two' && traces ? { ...traces, events: traces.events.slice(1) } : traces;
      },
    });
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
    Object.assign(at.retention, { storedTraces: async () => null });
    expect(await verify()).toEqual({ outcome: 'broken', number: 1, reason: 'changed' });
  });

  it('finds a receipt without its entry in the audit log', async () => {
    const { at, verify } = await erasedTwo();
    at.audit.pop();
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'no_audit_entry' });
    at.audit.length = 0;
    expect(await verify()).toEqual({ outcome: 'broken', number: 1, reason: 'no_audit_entry' });
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['verification', { targetId: 'one' }],
    ['client', { clientId: 'client-2' }],
    ['rule', { detail: { rule: 'log' } }],
    ['count of steps', { detail: { steps: 0 } }],
    ['count of files', { detail: { files: 0 } }],
    ['count of events', { detail: { events: 0 } }],
    ['hash', { detail: { hash: '0'.repeat(64) } }],
  ])('finds an entry with another %s than its receipt', async (_what, { detail, ...change }) => {
    const { at, verify } = await erasedTwo();
    const line = at.audit.pop() ?? expect.fail();
    at.audit.push({ ...line, ...change, detail: { ...line.detail, ...detail } });
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
  });

  it('finds an entry without its receipt, also behind the last receipt', async () => {
    const { at, verify } = await erasedTwo();
    const line = at.audit.at(-1) ?? expect.fail();
    at.audit.push({ ...line, sequence: line.sequence + 1, detail: { ...line.detail, number: 3 } });
    expect(await verify()).toEqual({ outcome: 'broken', number: 3, reason: 'no_receipt' });
    at.audit.push({ ...line, sequence: line.sequence + 2, detail: {} });
    expect(await verify()).toEqual({ outcome: 'broken', number: 0, reason: 'no_receipt' });
  });

  it.each<[string, Partial<Erasure>]>([
    ['a hash of nothing', {}],
    ['a hash of nothing, its rule and its counts', { rule: 'log', steps: 0, files: 0, events: 0 }],
  ])('finds a receipt that claims to have had nothing to remove: %s', async (_what, change) => {
    const { at, verify } = await erasedTwo();
    const hash = hashOfNothing(at.secrets);
    const { erasures } = at.storage.retention;
    Object.assign(at.retention, {
      erasures: async (query: Parameters<typeof erasures>[0]) =>
        (await erasures(query)).map((one) => (one.number === 2 ? { ...one, hash, ...change } : one)),
    });
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
  });

  it('finds data that was written to an event or to the row after the erasure', async () => {
    for (const written of [
      { answers: { canary: 1 } },
      { reviewData: { canary: 1 } },
      { metadata: { canary: 1 } },
      { notify: { email: 'canary@example.org' } },
      { dataKey: { wrapped: 'canary', wrappedBy: 'key-1' } },
      'of an event',
    ] as const) {
      const { at, verify } = await erasedTwo();
      const { findWithEventsForAnyClient: find } = at.storage.verifications;
      Object.assign(at.storage.verifications, {
        findWithEventsForAnyClient: async (id: string, limit: number) => {
          const { record, events } = (await find(id, limit)) ?? expect.fail();
          if (id !== 'two') return { record, events };
          if (written !== 'of an event') return { record: { ...record, ...written }, events };
          return { record, events: events.map((event) => ({ ...event, data: { canary: 1 } })) };
        },
      });
      expect(await verify(), JSON.stringify(written)).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
    }
  });

  it('finds an erasure whose files are left after two hours', async () => {
    const { at, verify } = await erasedTwo();
    await at.withdrawn('three');
    Object.assign(at.store, { delete: async () => undefined });
    await at.request('three');
    at.clock.advance(2 * 3_600_000);
    expect(await verify()).toEqual({ outcome: 'intact', erasures: 3 });
    at.clock.advance(1);
    expect(await verify()).toEqual({ outcome: 'broken', number: 3, reason: 'unfinished' });
  });

  it('reads entries and receipts in slices, and the entry of an erasure that ends meanwhile', async () => {
    const { at, verify } = await erasedTwo();
    for (let n = 0; n < 250; n += 1) {
      await at.withdrawn(`of many ${n}`);
      await at.request(`of many ${n}`);
    }
    const { erasures } = at.storage.retention;
    const late = at.audit.pop() ?? expect.fail();
    Object.assign(at.retention, {
      erasures: async (query: Parameters<typeof erasures>[0]) => {
        if (query.after === 200) at.audit.push(late);
        return erasures(query);
      },
    });
    expect(await verify()).toEqual({ outcome: 'intact', erasures: 252 });
  });
});
