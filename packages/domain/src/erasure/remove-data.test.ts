import { beforeEach, describe, expect, it } from 'vitest';
import { FACT } from '../../test-support/audit-chain.ts';
import { erasing, PLACE, receipt, retained } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { AuditFact } from '../audit/audit-entry.ts';
import type { EvidencePlace } from '../evidence/evidence-store.ts';
import type { Actor, EventType } from '../verification/events.ts';
import type { Erasure } from './erasure.ts';
import { createRemoveData, type ErasurePorts } from './remove-data.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

const SYSTEM = { kind: 'system', id: null } as const;
const OPERATOR = { kind: 'operator', id: 'user-1' } as const;
const FILES: readonly EvidencePlace[] = ['front', 'back'].map((fileId) => ({ ...PLACE, fileId }));

/** What was written: receipts, those that were finished, entries of the audit log, and files that were deleted. */
let receipts: Partial<Erasure>[];
let finished: number[];
let audited: Omit<AuditFact, 'at'>[];
let deleted: EvidencePlace[];

beforeEach(() => {
  [receipts, finished, audited, deleted] = [[], [], [], []];
});

/** A store of files. */
const store: ErasurePorts['store'] = {
  filesOf: async () => FILES.filter((file) => !deleted.includes(file)),
  delete: async (file) => void deleted.push(file),
};

/** Removes the data of what is stored, without an erasure log. @param events the types of its events and who caused them */
function removing(
  verification: RetainedVerification | null,
  {
    events = [],
    erasure = null,
    ...ports
  }: Partial<ErasurePorts> & {
    readonly events?: readonly (readonly [EventType, Actor])[];
    readonly erasure?: Erasure | null;
  } = {},
): Promise<void> {
  const removeData = createRemoveData({
    retention: portWith<RetentionRepository>({
      storedTraces: async () =>
        verification && {
          verification,
          events: events.map(([type, actor], index) => {
            const { clientId, status } = verification;
            const of = { clientId, verificationId: verification.id, version: index + 1, status };
            return { id: `event-${index}`, ...of, type, at: NOW, actor, data: {} };
          }),
        },
      erase: async (request) => {
        const number = request.erasure.number ?? 1;
        receipts.push({ ...request.erasure, number });
        return { outcome: 'erased', number };
      },
      erasure: async () => erasure,
      finish: async ({ number }) => void finished.push(number),
    }),
    log: undefined,
    store,
    append: async (fact) => {
      audited.push(fact);
      return { ...FACT, ...fact, at: NOW, sequence: 1, previousHash: '', hash: '' };
    },
    clock: { now: () => NOW },
    ids: { next: () => 'event-1' },
    secrets: portWith<ErasurePorts['secrets']>({ sha256: (text) => text }),
    ...ports,
  });
  return removeData(PLACE, { rule: 'requested', actor: OPERATOR });
}

describe('data that is not removed', () => {
  it('data is not removed before its erasure has begun', async () => {
    await expect(removing(retained())).rejects.toThrow(
      'The erasure of the verification verification-1 has not begun',
    );
    expect([receipts, deleted, audited]).toEqual([[], [], []]);
  });

  it.each<[string, RetainedVerification | null, Erasure | null]>([
    ['that is gone', null, null],
    ['whose erasure has finished', erasing({ erasureNumber: 1 }), receipt(1)],
    ['whose receipt is gone', erasing({ erasureNumber: 1 }), null],
  ])('a verification %s is left as it is', async (_which, verification, erasure) => {
    await removing(verification, { erasure });
    expect([receipts, deleted, audited, finished]).toEqual([[], [], [], []]);
  });
});

it('a service without a store of files erases a verification without files', async () => {
  await removing(erasing(), { store: undefined });
  expect(receipts).toMatchObject([{ number: 1, rule: 'requested', files: 0 }]);
  expect([audited, finished]).toMatchObject([[{ actor: OPERATOR, detail: { files: 0 } }], [1]]);
});

it.each<[string, readonly (readonly [EventType, Actor])[], object]>([
  ['who began it', [['verification.data_erased', { kind: 'team_member', id: 'owner-1' }]], { id: 'owner-1' }],
  ['the system if its event is lost', [['verification.rejected', OPERATOR]], SYSTEM],
  [
    'the system if its event names the subject',
    [['verification.data_erased', { kind: 'subject', id: null }]],
    SYSTEM,
  ],
])(
  'an erasure that was interrupted deletes the files that are left, and its audit entry names %s',
  async (_who, events, actor) => {
    await removing(erasing({ erasureNumber: 7 }), { events, erasure: receipt(7, { finishedAt: null }) });
    expect(deleted).toEqual(FILES);
    expect([receipts, finished]).toEqual([[], [7]]);
    expect(audited).toMatchObject([
      { actor, action: 'verifications.data_erased', targetId: 'verification-7', detail: { number: 7 } },
    ]);
  },
);
