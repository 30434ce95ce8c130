import { AUDIT_OUTCOMES, type AuditActor, type AuditEntry } from '@countersign/domain';
import { AUDIT_ACTIONS } from '@countersign/domain/actions';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { aLine, anAuditQuery, givenLine, givenLines, headAt, lineHash } from '../records/audit.ts';
import { givenClient } from '../records/clients.ts';
import { clientId, minute } from '../records/ids.ts';
import { tamper } from '../records/tampering.ts';
import { DIFFICULT_TEXTS } from '../records/texts.ts';
import { type Suite, suiteOf } from '../suite.ts';

const ACTORS: readonly AuditActor[] = [
  { kind: 'team_member', id: 'staff-1' },
  { kind: 'reviewer', id: 'Zoë/李' },
  { kind: 'operator', id: null },
  { kind: 'anonymous', id: null },
  { kind: 'api_key', id: 'key-1' },
  { kind: 'system', id: null },
];

/** The audit log stores each entry unchanged. */
export const auditLogSuite: Suite = suiteOf('audit log', {
  'audit: a new log has no head and no entries': async ({ audit }) => {
    expect(await audit.head()).toBeNull();
    expect(await audit.list(anAuditQuery())).toEqual([]);
    expect(await audit.read(0, 100)).toEqual([]);
  },

  'append: keeps entries unchanged, and the last one is the head': async (storage) => {
    await givenClient(storage);
    const lines = await givenLines(storage, AUDIT_ACTIONS.length, (n) => ({
      at: minute(n, n),
      actor: ACTORS[n % ACTORS.length] ?? { kind: 'anonymous', id: null },
      from: n % 3 === 0 ? null : '2001:db8::7334:1',
      action: AUDIT_ACTIONS[n - 1] ?? 'page.request',
      outcome: AUDIT_OUTCOMES[n % 3] ?? 'failed',
      clientId: n % 2 === 0 ? clientId(1) : null,
      targetId: n % 5 === 0 ? null : `target-${n}`,
    }));

    const limit = AUDIT_ACTIONS.length;
    expect(await storage.audit.read(0, limit)).toEqual(lines);
    expect(await storage.audit.list(anAuditQuery({ limit }))).toEqual(lines.toReversed());
    expect(await storage.audit.head()).toEqual(headAt(limit));
  },

  'append: keeps any text, and entries of unknown clients': async ({ audit }) => {
    const lines = DIFFICULT_TEXTS.map((text, index) =>
      aLine(index + 1, {
        actor: { kind: 'team_member', id: text },
        from: text,
        clientId: index % 2 === 0 ? text : clientId(9),
        targetId: text,
        detail: { [text]: text, text },
      }),
    );

    for (const line of lines)
      expect(await audit.append(line), line.targetId ?? '').toEqual({ outcome: 'appended' });

    expect(await audit.read(0, 100)).toEqual(lines);
  },

  'append: keeps details unchanged': async ({ audit }) => {
    const details: AuditEntry['detail'][] = [
      {},
      { of: 17, code: 'NOT_ALLOWED', limit: null, fileAccess: true },
      { permissions: ['verifications:read', 'verifications:create'], none: [], empty: '', inner: { deep: [1] } },
      { numbers: [0, -1, 1.5, 2 ** 31, 2 ** 53 - 1], looksLike: ['1', 'null', '2026-03-10T09:00:00.000Z'] },
    ];
    const lines = details.map((detail, index) => aLine(index + 1, { detail }));

    for (const line of lines) await audit.append(line);

    expect(await audit.read(0, 100)).toEqual(lines);
  },

  'append: keeps times to the millisecond, in any order': async (storage) => {
    const moments = ['2026-10-25T01:30:00.100Z', '2026-10-25T00:30:00.010Z', '2038-01-19T03:14:08.001Z'];

    const lines = await givenLines(storage, 3, (n) => ({ at: new Date(moments[n - 1] ?? 0) }));

    expect(await storage.audit.read(0, 100)).toEqual(lines);
  },

  'append: changes to given and returned entries change nothing stored': async ({ audit }) => {
    const line = aLine(1, { detail: { list: [3, 1, { deep: ['x'] }] } });
    const kept = structuredClone(line);

    await audit.append(line);
    expect(line, 'the argument after append').toEqual(kept);
    tamper(line);
    for (const read of [() => audit.read(0, 10), () => audit.list(anAuditQuery())]) {
      expect(await read()).toEqual([kept]);
      tamper(await read());
      expect(await read()).toEqual([kept]);
    }
    tamper(await audit.head());
    tamper(await audit.append(aLine(1)));
    expect(await audit.head()).toEqual(headAt(1));
  },
});

/** Each entry follows the last one and never changes. */
export const auditChainSuite: Suite = suiteOf('audit chain', {
  'append: the first entry is 1 and follows 64 zeros': async ({ audit }) => {
    const wrong = [
      aLine(0),
      aLine(2),
      aLine(1, { previousHash: lineHash(7) }),
      aLine(2, { previousHash: lineHash(0) }),
    ];

    for (const line of wrong) expect(await audit.append(line)).toEqual({ outcome: 'not_next', head: null });

    expect(await audit.head()).toBeNull();
    expect(await audit.append(aLine(1))).toEqual({ outcome: 'appended' });
  },

  'append: answers not_next with the head for an entry that does not follow': async (storage) => {
    const lines = await givenLines(storage, 3);
    const wrong = [
      aLine(3),
      aLine(1, { outcome: 'refused', hash: lineHash(77) }),
      aLine(2, { detail: { written: 'again' } }),
      aLine(5),
      aLine(5, { previousHash: lineHash(3) }),
      aLine(4, { previousHash: lineHash(2) }),
      aLine(4, { previousHash: lineHash(0) }),
      aLine(-4, { previousHash: lineHash(3) }),
    ];

    for (const line of wrong) {
      expect(await storage.audit.append(line)).toEqual({ outcome: 'not_next', head: headAt(3) });
    }

    expect(await storage.audit.read(0, 100)).toEqual(lines);
    expect(await storage.audit.append(aLine(4))).toEqual({ outcome: 'appended' });
  },

  'append: several entries are appended, all or none': async (storage) => {
    const { audit } = storage;
    await givenLine(storage, aLine(1));
    const [two, three, four] = [aLine(2, { detail: { of: null } }), aLine(3, { from: null }), aLine(4)] as const;
    const wrong = [
      [two, four],
      [three, four],
      [two, three, aLine(4, { previousHash: lineHash(2) })],
      [two, aLine(3, { previousHash: lineHash(1) })],
    ] as const;

    for (const [first, ...more] of wrong) {
      expect(await audit.append(first, ...more)).toEqual({ outcome: 'not_next', head: headAt(1) });
      expect(await audit.head()).toEqual(headAt(1));
    }
    expect(await audit.append(two, three, four)).toEqual({ outcome: 'appended' });

    expect(await audit.read(1, 100)).toEqual([two, three, four]);
    expect(await audit.head()).toEqual(headAt(4));
  },

  'append: later entries change no earlier entry': async (storage) => {
    const first = await givenLine(storage, aLine(1, { detail: { plan: 'standard' } }));
    for (const n of range(2, 12)) {
      await givenLine(storage, aLine(n, { outcome: 'failed', detail: { of: n - 1 } }));
      expect(await storage.audit.read(0, 1)).toEqual([first]);
    }

    expect(await storage.audit.head()).toEqual(headAt(12));
  },

  'append: changes of clients and keys change no entry': async (storage) => {
    await givenClient(storage);
    const [line] = await givenLines(storage, 1, () => ({
      action: 'clients.change_subscription',
      targetId: clientId(1),
    }));

    await storage.clients.setFileAccess(clientId(1), true);
    await storage.clients.changeSubscription(clientId(1), { plan: 'enterprise' }, null);

    expect(await storage.audit.read(0, 10)).toEqual([line]);
    expect(await storage.audit.head()).toEqual(headAt(1));
  },
});
