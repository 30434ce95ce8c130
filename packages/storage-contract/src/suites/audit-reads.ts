import type { AuditHead, AuditQuery, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { aLine, givenLines, headAt, linesListed, linesRead } from '../records/audit.ts';
import { expectCount } from '../records/count.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { type Suite, suiteGiven, suiteOf } from '../suite.ts';

/** Lists of the log, newest first, and reads of its chain from the beginning. */
export const auditReadsSuite: Suite = suiteGiven('audit reads', givenTwelve, {
  'list: the newest entries come first, up to the limit': async (storage) => {
    expect(await linesListed(storage)).toEqual(range(1, 12).reverse());
    expect(await linesListed(storage, { limit: 3 })).toEqual([12, 11, 10]);
    expectCount(await linesListed(storage, { limit: 12 }), 12);
  },

  'list: continues before any entry': async (storage) => {
    expect(await linesListed(storage, { before: 10, limit: 3 })).toEqual([9, 8, 7]);
    expect(await linesListed(storage, { before: 2 })).toEqual([1]);
    for (const before of [1, 0]) expect(await linesListed(storage, { before })).toEqual([]);
    expect(await linesListed(storage, { before: 2 ** 53 - 1, limit: 1 })).toEqual([12]);
  },

  'filter: by actor': async (storage) => {
    expect(await linesListed(storage, { actorId: 'staff-1' })).toEqual([10, 7, 4, 1]);
    expect(await linesListed(storage, { actorId: 'staff-2' })).toEqual([11, 8, 5, 2]);
    for (const unknown of ['staff-3', 'staff', 'STAFF-1', 'staff_1', '', 'null', '\u0000', '🦉']) {
      expect(await linesListed(storage, { actorId: unknown }), unknown).toEqual([]);
    }
  },

  'filter: by client': async (storage) => {
    expect(await linesListed(storage, { clientId: clientId(1) })).toEqual([9, 5, 1]);
    expect(await linesListed(storage, { clientId: clientId(2) })).toEqual([10, 6, 2]);
    for (const unknown of [clientId(3), verificationId(1), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
      expect(await linesListed(storage, { clientId: unknown }), unknown).toEqual([]);
    }
  },

  'filter: by action and by outcome': async (storage) => {
    expect(await linesListed(storage, { action: 'api_keys.create' })).toEqual([12, 10, 8, 6, 4, 2]);
    expect(await linesListed(storage, { action: 'api_keys.rotate' })).toEqual([]);
    expect(await linesListed(storage, { outcome: 'allowed' })).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await linesListed(storage, { outcome: 'refused' })).toEqual([11, 10, 9, 8, 7]);
    expect(await linesListed(storage, { outcome: 'failed' })).toEqual([12]);
  },

  'filter: by time, from a moment on and before another': async (storage) => {
    const [at9, at4] = [minute(91), minute(96)];
    expect(await linesListed(storage, { appendedFrom: at4 })).toEqual([4, 3, 2, 1]);
    expect(await linesListed(storage, { appendedUntil: at9 })).toEqual([12, 11, 10]);
    expect(await linesListed(storage, { appendedFrom: at9, appendedUntil: at4 })).toEqual([9, 8, 7, 6, 5]);
    const later = (at: Date): Date => new Date(at.getTime() + 1);
    expect(await linesListed(storage, { appendedFrom: later(at9), appendedUntil: later(at4) })).toEqual([
      8, 7, 6, 5, 4,
    ]);
    expect(await linesListed(storage, { appendedFrom: at4, appendedUntil: at4 })).toEqual([]);
    expect(await linesListed(storage, { appendedFrom: at4, appendedUntil: at9 })).toEqual([]);
  },

  'filter: by time and others, page by page': async (storage) => {
    const given: Partial<AuditQuery> = { appendedFrom: minute(90), appendedUntil: minute(98) };
    expect(await linesListed(storage, { ...given, limit: 3 })).toEqual([10, 9, 8]);
    expect(await linesListed(storage, { ...given, limit: 3, before: 8 })).toEqual([7, 6, 5]);
    expect(await linesListed(storage, { ...given, limit: 3, before: 5 })).toEqual([4, 3]);
    expect(await linesListed(storage, { ...given, actorId: 'staff-1' })).toEqual([10, 7, 4]);
    expect(await linesListed(storage, { ...given, actorId: 'staff-1', outcome: 'refused', limit: 1 })).toEqual([
      10,
    ]);
    expect(await linesListed(storage, { ...given, action: 'api_keys.create', before: 8 })).toEqual([6, 4]);
    expect(await linesListed(storage, { ...given, clientId: clientId(1) })).toEqual([9, 5]);
  },

  'filter: by all filters together, page by page': async (storage) => {
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

  'read: returns the chain from any entry on, in order and without gaps': async (storage) => {
    expect(await linesRead(storage, 0, 100)).toEqual(range(1, 12));
    const pages: number[] = [];
    for (const after of [0, 5, 10]) pages.push(...(await linesRead(storage, after, 5)));
    expect(pages).toEqual(range(1, 12));
    expect(await linesRead(storage, 8, 1)).toEqual([9]);
    for (const after of [12, 13, 2 ** 31, 2 ** 53 - 1]) expect(await linesRead(storage, after, 5)).toEqual([]);
  },
});

/**
 * Twelve entries of two users and anonymous callers, about two clients and none; every other one creates a key, the first half
 * is allowed, the last one failed. Their times go back, so that only the sequence gives the order.
 */
async function givenTwelve(storage: Storage): Promise<void> {
  await givenLines(storage, 12, (n) => ({
    at: minute(100 - n),
    actor: n % 3 === 0 ? { kind: 'anonymous', id: null } : { kind: 'team_member', id: `staff-${n % 3}` },
    clientId: n % 4 === 1 || n % 4 === 2 ? clientId(n % 4) : null,
    action: n % 2 === 0 ? 'api_keys.create' : 'api_keys.revoke',
    outcome: n <= 6 ? 'allowed' : n === 12 ? 'failed' : 'refused',
  }));
}

/** Makes a different hash for each writer's attempt at an entry. */
const hashOf = (writer: number, sequence: number): string =>
  `${sequence.toString(16).padStart(32, '0')}${writer.toString(16).padStart(32, 'f')}`;

/** Concurrent writers make one chain: each sequence has one winner. */
export const auditAtOnceSuite: Suite = suiteOf('concurrent audit', {
  'append: of forty at once for the first entry, one succeeds and the others get the head': async (storage) => {
    await expectOneOfForty(storage, null);
  },

  'append: of forty at once for the next entry, one succeeds and the others get the head': async (storage) => {
    const lines = await givenLines(storage, 4);

    await expectOneOfForty(storage, headAt(lines.length));
  },

  'append: eight writers that retry make a chain without gaps': async (storage) => {
    await atOnce(8, async (writer) => {
      let head = await storage.audit.head();
      for (const n of range(1, 5)) head = await appendSomewhere(storage, writer, n, head);
    });

    const lines = await storage.audit.read(0, 100);
    expect(lines.map(({ sequence }) => sequence)).toEqual(range(1, 40));
    for (const [index, { previousHash }] of lines.entries()) {
      if (index > 0) expect(previousHash).toBe(lines[index - 1]?.hash);
    }
    const marks = lines.map(({ actor, detail }) => JSON.stringify([actor.id, detail]));
    expect(new Set(marks).size, 'each line of each writer once').toBe(40);
  },

  'read: during appends returns a chain without gaps': async (storage) => {
    const reads: Promise<number[]>[] = [];
    for (const n of range(1, 20)) {
      reads.push(linesRead(storage, 0, 100));
      const appended = storage.audit.append(aLine(n));
      reads.push(linesRead(storage, 0, 100));
      await appended;
    }

    for (const sequences of await Promise.all(reads)) expect(sequences).toEqual(range(1, sequences.length));
    expect(await storage.audit.head()).toEqual(headAt(20));
  },
});

async function expectOneOfForty(storage: Storage, before: AuditHead | null): Promise<void> {
  const next = (before?.sequence ?? 0) + 1;

  const answers = await atOnce(40, (writer) =>
    storage.audit.append(aLine(next, { hash: hashOf(writer, next), detail: { writer } })),
  );

  expect(tally(answers)).toEqual({ appended: 1, not_next: 39 });
  const winner = answers.findIndex(({ outcome }) => outcome === 'appended');
  const head = { sequence: next, hash: hashOf(winner, next) };
  for (const answer of answers) {
    if (answer.outcome === 'not_next') expect(answer.head).toEqual(head);
  }
  expect(await storage.audit.head()).toEqual(head);
  expect((await storage.audit.read(next - 1, 100)).map(({ detail }) => detail)).toEqual([{ writer: winner }]);
}

/** Appends the writer's `n`th entry after the last entry, retrying, and returns the new head. */
async function appendSomewhere(
  storage: Storage,
  writer: number,
  n: number,
  from: AuditHead | null,
): Promise<AuditHead> {
  let head = from;
  for (;;) {
    const line = aLine((head?.sequence ?? 0) + 1, {
      actor: { kind: 'team_member', id: `writer-${writer}` },
      ...(head !== null && { previousHash: head.hash }),
      detail: { n },
    });
    const next = { ...line, hash: hashOf(writer, line.sequence) };
    const answer = await storage.audit.append(next);
    if (answer.outcome === 'appended') return { sequence: next.sequence, hash: next.hash };
    expect(answer.head?.sequence, 'the head of not_next').toBeGreaterThanOrEqual(next.sequence);
    head = answer.head;
  }
}
