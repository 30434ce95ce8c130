import { beforeEach, describe, expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { portWith } from '../../test-support/port-with.ts';
import { file, inState, NOW, submitted } from '../../test-support/verifications.ts';
import { DEFAULT_RETENTION_SETTINGS } from '../erasure/retained-rules.ts';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { EvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { Client, ClientRepository } from '../subscription/client-repository.ts';
import { NEW_FLOW_SETTINGS } from '../subscription/flow-settings.ts';
import { NO_TEMPLATES } from '../subscription/reason-templates.ts';
import { MAX_EVENTS } from './event-limit.ts';
import type { EventType, VerificationEvent } from './events.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { createReviewQueue, type ReviewQueue } from './review-queue.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository, VerificationWithEvents } from './verification-repository.ts';

const FILES = [file('document', 'document_front', 'front'), file('selfie', 'selfie', 'face')];
const RECORD = toRecord({ ...submitted(), files: FILES });

let asked: unknown[];
let isKnown: boolean;
let stored: VerificationWithEvents;
let service: ReviewQueue;
/** What else is stored with the verification that waits longest. */
let kept: Partial<VerificationRecord>;
/** The clients that are found, by their id. */
let clients: Map<string, Client>;

/** The queue of a verification whose client is gone. */
beforeEach(() => {
  asked = [];
  isKnown = true;
  kept = {};
  clients = new Map();
  stored = { record: RECORD, events: [] };
  const verifications: Pick<VerificationRepository, 'queue' | 'findForAnyClient' | 'findWithEventsForAnyClient'> =
    {
      queue: async (query) => {
        asked.push(query);
        return {
          records: [
            { ...RECORD, ...kept },
            { ...RECORD, id: 'later' },
          ],
          totalCount: 2,
        };
      },
      findForAnyClient: async () => (isKnown ? RECORD : null),
      findWithEventsForAnyClient: async (_id, limit) => {
        asked.push(limit);
        return isKnown ? { ...stored, events: stored.events.slice(-limit) } : null;
      },
    };
  const read = async (_place: unknown, found: EvidenceFile, page?: number) => {
    asked.push([found.id, page]);
    return { file: found, content: new Uint8Array(), contentType: found.contentType };
  };
  service = createReviewQueue({
    verifications: portWith<VerificationRepository>(verifications),
    flows: BUILT_IN_FLOWS,
    clients: portWith<ClientRepository>({
      find: async (id) => {
        const client = clients.get(id);
        return client === undefined ? null : { client, subscription: null };
      },
      names: async () =>
        new Map([...clients].map(([id, client]) => [id, { ...client, dueHours: client.flowSettings.dueHours }])),
    }),
    evidence: portWith<EvidenceKeeper>({ read }),
    clock: { now: () => NOW },
    caseWarnings: { of: async () => [] },
    rulesOf: async () => DEFAULT_RETENTION_SETTINGS,
    withPause: async (state) => state,
    readFlowRules: async () => someFlowRules(),
    documents: { of: async () => [], readAgain: async () => undefined },
  });
});

function eventOf(type: EventType, version: number): VerificationEvent {
  const { clientId, id: verificationId, status } = stored.record;
  const actor = { kind: 'system', id: null } as const;
  return { id: `event-${version}`, clientId, verificationId, version, type, status, at: NOW, actor, data: {} };
}

/** A client whose reviewers decide within a day. */
const ACME = aClient({
  flowSettings: { ...NEW_FLOW_SETTINGS, dueHours: 24 },
  reasonTemplates: { ask: [{ name: 'Glare', en: 'Please avoid reflections' }], reject: [] },
});
/** The client of the verification as a test twin of another one. */
const TWIN = { ...ACME, testOf: 'client-0', reasonTemplates: NO_TEMPLATES };
const DUE = new Date(NOW.getTime() + 24 * 60 * 60 * 1000);

const ID = '01a2038d-2aec-73d0-9ad0-4cf46661036f';
const defaults = {
  status: 'submitted',
  type: undefined,
  clientId: undefined,
  liveOnly: true,
  after: undefined,
  countUpTo: 1_000,
};

describe('the queue', () => {
  it.each([
    [{}, { claimedBy: undefined, limit: 21 }],
    [{ withTests: true }, { claimedBy: undefined, liveOnly: false, limit: 21 }],
    [{ clientId: 'client-1' }, { clientId: 'client-1', claimedBy: undefined, liveOnly: false, limit: 21 }],
    [
      { after: `2026-03-01T10:00:00.000Z_${ID}`, limit: 10 },
      {
        claimedBy: undefined,
        after: { submittedAt: new Date('2026-03-01T10:00:00.000Z'), id: ID },
        limit: 11,
      },
    ],
    [{ after: `_${ID}` }, { claimedBy: undefined, after: { submittedAt: null, id: ID }, limit: 21 }],
    [{ warned: true }, { claimedBy: undefined, isWarned: true, limit: 21 }],
    [{ resubmitted: true }, { claimedBy: undefined, isResubmitted: true, limit: 21 }],
    [{ claimedBy: 'rita' }, { claimedBy: 'rita', limit: 21 }],
    [
      { claimedBy: 'rita', unclaimed: true },
      { claimedBy: null, limit: 21 },
    ],
    [
      { claimedBy: 'rita', unclaimed: false },
      { claimedBy: 'rita', limit: 21 },
    ],
  ])('the queue of %j', async (input, query) => {
    await service.queue(input);
    expect(asked).toEqual([{ ...defaults, ...query }]);
  });

  it('names a client that is gone by its id', async () => {
    const { items } = await service.queue({ limit: 1 });
    expect(items).toMatchObject([{ clientId: 'client-1', clientName: 'client-1' }]);
  });

  it.each<[string, Client, Partial<VerificationRecord>, string, Date | null]>([
    ['waits', ACME, {}, 'Acme', DUE],
    ['is decided', ACME, { status: 'approved' }, 'Acme', null],
    ['is of a test twin', TWIN, {}, 'Acme (test)', null],
  ])(
    'the queue shows the client and the due time of a verification that %s',
    async (_what, client, given, clientName, dueAt) => {
      kept = given;
      clients.set('client-1', client);
      expect((await service.queue({ limit: 1 })).items).toMatchObject([{ clientName, dueAt }]);
    },
  );

  it.each([
    [{ severity: 'critical' }, 'critical'],
    [{ severity: null }, null],
    [{ severity: 'critical', status: 'approved' }, null],
  ] as const)('the queue shows of %j the severity %j', async (given, severity) => {
    kept = given;
    expect((await service.queue({ limit: 1 })).items).toMatchObject([{ severity }]);
  });

  it('the queue has a next page if there is one more verification than the page holds', async () => {
    const { items, total, next } = await service.queue({ limit: 1 });
    expect(items).toHaveLength(1);
    expect(total).toEqual({ count: 2, isExact: true });
    expect(next).toBe(`${RECORD.submittedAt?.toISOString()}_${RECORD.id}`);
    expect((await service.queue({ limit: 2 })).next).toBeNull();
  });

  it.each(['', 'x', '_', '_x', `2026-02-30T10:00:00.000Z_${ID}`, `9999-01-01T00:00:00.000Z_${ID}`, `2026_${ID}`])(
    'refuses a page after %j',
    async (after) => {
      await expect(service.queue({ after })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    },
  );
});

describe('a verification for a reviewer', () => {
  it('a verification for a reviewer has the latest 50 events, or all on request', async () => {
    await service.open('verification-1');
    await service.open('verification-1', { allEvents: true });
    expect(asked).toEqual([50, 2 * MAX_EVENTS]);
  });

  it.each([
    ['gone', [], 'client-1', null, NO_TEMPLATES],
    ['in live use', [ACME], 'Acme', DUE, ACME.reasonTemplates],
    ['a test twin', [TWIN, { ...ACME, id: 'client-0' }], 'Acme (test)', null, ACME.reasonTemplates],
    ['a test twin whose client is gone', [TWIN], 'Acme (test)', null, NO_TEMPLATES],
  ])(
    'shows the name, the due time and the templates of a client that is %s',
    async (_what, found, clientName, dueAt, templates) => {
      clients = new Map(found.map((client) => [client.id, client]));
      expect(await service.open('verification-1')).toMatchObject({ clientName, dueAt, templates });
      expect(await service.summarize('verification-1')).toMatchObject({ clientName, dueAt });
    },
  );

  it('reads the latest events alone if the decision is among them', async () => {
    stored = { record: toRecord(inState('rejected')), events: [eventOf('verification.rejected', 1)] };
    await service.open('verification-1');
    expect(asked).toEqual([50]);
  });

  it('finds how it was decided among all events if the decision is older than the latest', async () => {
    const [withdrawn, released] = [eventOf('verification.withdrawn', 1), eventOf('verification.hold_released', 2)];
    const record = toRecord(inState('rejected'));
    stored = { record, events: [withdrawn, ...Array.from({ length: 60 }, () => released)] };
    const { events, retention } = await service.open('verification-1');
    expect(asked).toEqual([50, 2 * MAX_EVENTS]);
    expect(events).toEqual(Array.from({ length: 50 }, () => released));
    // The law does not oblige to keep what was withdrawn, and the policy keeps it for 90 days.
    expect(retention).toMatchObject({
      data: { state: 'kept', until: new Date('2026-05-31T00:00:00.000Z') },
      legalEnd: null,
    });
  });

  it('gives the file that was asked for, or a page of it', async () => {
    expect((await service.readFile('verification-1', 'face')).file.id).toBe('face');
    await service.readFile('verification-1', 'front', 2);
    expect(asked).toEqual([
      ['face', undefined],
      ['front', 2],
    ]);
    await expect(service.readFile('verification-1', 'back')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('a verification for a reviewer is not found if there is none', async () => {
    isKnown = false;
    const unknown = { code: 'VERIFICATION_NOT_FOUND' };
    await expect(service.open('verification-1')).rejects.toMatchObject(unknown);
    await expect(service.summarize('verification-1')).rejects.toMatchObject(unknown);
    await expect(service.readFile('verification-1', 'face')).rejects.toMatchObject(unknown);
  });
});
