import type { VerificationEvent } from '@countersign/domain';
import type {
  Attempt,
  RetainedVerification,
  RetentionRepository,
  Storage,
  VerificationRecord,
} from '@countersign/domain/storage';
import { erasureAtOnceSuite, erasureSuite } from '../../src/suites/retention/erasing.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  type Break,
  both,
  clients,
  dataKeys,
  remembering,
  retention,
  roundTrip,
  uuidOnly,
  verifications,
  webhooks,
} from './patch.ts';

const { erase } = retention;
type Request = Parameters<RetentionRepository['erase']>[0];

/** Remembers each verification as it was before its erasure. */
const leaving = (patch: (before: ReadonlyMap<string, VerificationRecord>) => Break): Break =>
  remembering(() => {
    const before = new Map<string, VerificationRecord>();
    return both(
      erase.override(async ({ next, storage }, request) => {
        const { clientId, verificationId } = request.erasure;
        const record = await storage.verifications.find(clientId, verificationId);
        const result = await next(request);
        if (result.outcome === 'erased' && record !== null) before.set(verificationId, structuredClone(record));
        return result;
      }),
      patch(before),
    );
  });

/** Shows a column of erased verifications as it was. */
const leaves = (...columns: readonly (keyof VerificationRecord)[]): Break =>
  leaving((before) =>
    verifications.findWithEventsForAnyClient.result((found) => {
      const old = before.get(found.record.id);
      const left = old && Object.fromEntries(columns.map((column) => [column, old[column]]));
      return { ...found, record: { ...found.record, ...left } };
    }),
  );

const COLUMNS = [
  'subjectReference',
  'metadata',
  'answers',
  'reviewData',
  'idempotencyKey',
  'sandboxOutcome',
  'returnUrl',
  'locale',
  'notify',
  'linkExpiresAt',
  'eventCount',
] as const;

/** A break for each column: the storage does not empty it. */
const LEAVING: Readonly<Record<string, Break>> = Object.fromEntries(
  COLUMNS.map((column) => [`leaves ${column}`, leaves(column)]),
);

/** Does something once a verification is erased. */
const afterwards = (act: (storage: Storage, request: Request) => Promise<unknown>): Break =>
  erase.override(async ({ next, storage }, request) => {
    const result = await next(request);
    if (result.outcome === 'erased') await act(storage, request);
    return result;
  });

/** Keeps the texts of attempts that are settled while the verification is as `when` says. */
const showsTexts = (
  when: (found: RetainedVerification) => boolean,
  delay = async (): Promise<void> => undefined,
): Break =>
  remembering(() => {
    const kept = new Map<string, Attempt>();
    return both(
      webhooks.settle.override(async ({ next, storage }, lease, delivery, result) => {
        const { verificationId } = delivery;
        const found = await storage.retention.find({ clientId: lease.clientId, verificationId });
        if (found !== null && when(found)) kept.set(result.attempt.id, result.attempt);
        await delay();
        return next(lease, delivery, result);
      }),
      webhooks.attempts.result((attempts) => attempts.map((attempt) => kept.get(attempt.id) ?? attempt)),
    );
  });

/** Also tries, for a conflict, what `change` makes of the request. */
const instead = (change: (request: Request, storage: Storage) => Promise<Request | null>): Break =>
  erase.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const other = result.outcome === 'conflict' ? await change(request, storage) : null;
    return other === null ? result : next(other);
  });

export const erasureMutants: readonly Mutant[] = mutantsOf(erasureSuite, {
  ...LEAVING,
  'ends every link with the erasure': retention.find.result((found) =>
    found.erasureNumber === null ? found : { ...found, linkExpiresAt: found.erasedAt ?? found.linkExpiresAt },
  ),
  'leaves the data of events': leaving((before) =>
    verifications.findWithEventsForAnyClient.result(({ record, events }) => ({
      record,
      events: events.map((event) => (before.has(record.id) ? { ...event, data: { type: record.type } } : event)),
    })),
  ),
  'empties the data of its own event': erase.input(({ event }) => ({ event: { ...event, data: {} } })),
  'leaves the data key': (storage) => {
    const find = storage.dataKeys.find;
    const kept = new Map<string, Awaited<ReturnType<typeof find>>>();
    return dataKeys.find.override(async ({ next }, clientId, id) => {
      const found = (await next(clientId, id)) ?? kept.get(id) ?? null;
      kept.set(id, found);
      return found;
    })(storage);
  },
  'gives an erased verification another data key': dataKeys.replace.override(async ({ next, storage }, change) => {
    const found = await storage.retention.find(change);
    return found === null || found.erasureNumber === null ? next(change) : { outcome: 'replaced' };
  }),
  'writes another rule': erase.input(({ erasure }) => ({ erasure: { ...erasure, rule: 'requested' } })),
  'writes another number of events': erase.input(({ erasure }) => ({ erasure: { ...erasure, events: 3 } })),
  'writes a finished receipt': afterwards((storage, { erasure: { clientId, number, at } }) =>
    storage.retention.finish({ clientId, number: number ?? 1 }, at),
  ),
  'writes no receipt': retention.erasure.override(async () => null),
  'stores the texts of attempts once the erasure has begun': showsTexts(({ erasedAt }) => erasedAt !== null),
  'stores the texts of attempts until the data is removed': showsTexts(
    ({ erasedAt, erasureNumber }) => erasedAt !== null && erasureNumber === null,
  ),
  'stores the texts of attempts once the data is removed': showsTexts(
    ({ erasureNumber }) => erasureNumber !== null,
  ),
  'loses attempts of erased verifications': webhooks.settle.override(
    async ({ next, storage }, lease, delivery, result) => {
      const { clientId } = lease;
      const found = await storage.retention.find({ clientId, verificationId: delivery.verificationId });
      return found?.erasureNumber === null ? next(lease, delivery, result) : { outcome: 'settled' };
    },
  ),
  'leaves the attempts of webhooks': (storage) => {
    const first = new Map<string, Awaited<ReturnType<typeof storage.webhooks.attempts>>>();
    return both(
      erase.override(async ({ next, storage: sound }, request) => {
        const { clientId, verificationId } = request.erasure;
        const whole = await sound.verifications.findWithEventsForAnyClient(verificationId, 100);
        for (const endpoint of await sound.webhooks.list(clientId))
          for (const { id } of whole?.events ?? [])
            first.set(id, await sound.webhooks.attempts(clientId, endpoint.id, id));
        return next(request);
      }),
      webhooks.attempts.override(
        async ({ next }, ...[clientId, endpointId, id]) => first.get(id) ?? next(clientId, endpointId, id),
      ),
    )(storage);
  },
  'removes the attempts of webhooks': leaving((before) =>
    webhooks.attempts.result((attempts) => (before.size > 0 ? [] : attempts)),
  ),
  'empties the attempts of every verification': leaving((before) =>
    webhooks.attempts.result((attempts) =>
      before.size > 0 ? attempts.map((each) => ({ ...each, request: '', response: null, fault: null })) : attempts,
    ),
  ),
  'removes the deliveries of webhooks': leaving((before) =>
    webhooks.deliveries.result((entries) => entries.filter(({ verificationId }) => !before.has(verificationId))),
  ),
  'fans out no event of an erased verification': leaving((before) =>
    webhooks.fanOut.override(async ({ next }, request) => (before.size > 0 ? 0 : next(request))),
  ),
  'destroys every data key': leaving((before) =>
    dataKeys.find.override(async ({ next }, ...place) => (before.size > 0 ? null : next(...place))),
  ),
  'gives back what the client has used': leaving((before) =>
    clients.usedIn.override(async ({ next }, ...input) => (await next(...input)) - before.size),
  ),
  'removes it from lists': leaving((before) =>
    verifications.list.result(({ records, totalCount }) => ({
      records: records.filter(({ id }) => !before.has(id)),
      totalCount,
    })),
  ),
  'removes its history': leaving((before) =>
    verifications.findWithHistory.result(({ record, events }) => ({
      record,
      events: before.has(record.id) ? [] : events,
    })),
  ),
  'never gives the Idempotency-Key back': leaving((before) =>
    verifications.createCharged.override(async ({ next }, request) => {
      const used = [...before.values()].find(
        ({ idempotencyKey }) => idempotencyKey === request.record.idempotencyKey,
      );
      return used === undefined ? next(request) : { outcome: 'key_used', record: used };
    }),
  ),
  'ignores the expected version': instead(async (request, storage) => {
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    return found && { ...request, expectedVersion: found.version };
  }),
  'erases what has not begun': instead(async (request, storage) => {
    const { clientId, verificationId, at: erasedAt } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    if (found?.version !== request.expectedVersion || found.erasedAt !== null) return null;
    const begun = { ...found, erasedAt };
    await storage.retention.change({ verification: begun, expectedVersion: found.version, events: [] });
    return request;
  }),
  'erases again what is erased': erase.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    if (result.outcome !== 'conflict' || !found || found.erasureNumber === null) return result;
    return found.version === request.expectedVersion ? { outcome: 'erased', number: found.erasureNumber } : result;
  }),
  'takes the number for taken first': erase.override(async ({ next, storage }, request) => {
    const { number } = request.erasure;
    if (number !== null && (await storage.retention.erasure(number)) !== null) return { outcome: 'number_taken' };
    return next(request);
  }),
  'erases verifications of any client': instead(async (request, storage) => {
    const owner = await storage.verifications.clientOf(request.erasure.verificationId);
    return owner === null ? null : { ...request, erasure: { ...request.erasure, clientId: owner } };
  }),
  'fails on a text that cannot be an id': erase.input(({ erasure }) => ({
    erasure: { ...erasure, verificationId: uuidOnly(erasure.verificationId) },
  })),
  'takes another number for a taken one': erase.override(async ({ next }, request) => {
    const result = await next(request);
    if (result.outcome !== 'number_taken') return result;
    return next({ ...request, erasure: { ...request.erasure, number: null } });
  }),
  'counts receipts for a number': erase.override(async ({ next, storage }, request) => {
    const count = (await storage.retention.erasures({ after: 0, limit: 1_000 })).length;
    return next({ ...request, erasure: { ...request.erasure, number: request.erasure.number ?? count + 1 } });
  }),
});

export const erasureAtOnceMutants: readonly Mutant[] = mutantsOf(erasureAtOnceSuite, {
  'compares, then erases': erase.override(async ({ next, storage }, request) => {
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    await roundTrip();
    const result = await next(request);
    const isExpected = found?.version === request.expectedVersion;
    return result.outcome === 'conflict' && isExpected ? { outcome: 'erased', number: 1 } : result;
  }),
  'reads the highest number, then erases': erase.override(async ({ next, storage }, request) => {
    const last = await storage.retention.lastErasure();
    await roundTrip();
    return next({ ...request, erasure: { ...request.erasure, number: request.erasure.number ?? last + 1 } });
  }),
  'leaves gaps between numbers': erase.override(async ({ next, storage }, request) => {
    const last = await storage.retention.lastErasure();
    return next({ ...request, erasure: { ...request.erasure, number: request.erasure.number ?? 2 * last + 1 } });
  }),
  'erases, then looks whether the number is taken': erase.override(async ({ next }, request) => {
    const result = await next(request);
    if (result.outcome === 'number_taken')
      await next({ ...request, erasure: { ...request.erasure, number: null } });
    return result;
  }),
  'looks whether the erasure has begun, then stores the attempt': showsTexts(
    ({ erasedAt }) => erasedAt === null,
    roundTrip,
  ),
  'erases whatever came meanwhile': erase.override(async ({ next, storage }, request) => {
    await roundTrip();
    const { clientId, verificationId } = request.erasure;
    const found = await storage.retention.find({ clientId, verificationId });
    return next({ ...request, expectedVersion: found?.version ?? 0 });
  }),
  'lets a commit bring the data back': verifications.commit.override(async ({ next, storage }, request) => {
    const { id, clientId } = request.record;
    const found = await storage.retention.find({ clientId, verificationId: id });
    const isErased = found?.erasureNumber !== null;
    return isErased ? { outcome: 'committed' } : next(request);
  }),
  'empties the row, then the events': remembering(() => {
    let isErasing = false;
    let left: readonly VerificationEvent[] | null = null;
    return both(
      erase.override(async ({ next, storage }, request) => {
        isErasing = true;
        const before = await storage.verifications.findWithEventsForAnyClient(request.erasure.verificationId, 100);
        const result = await next(request);
        left = before?.events ?? null;
        await roundTrip();
        [isErasing, left] = [false, null];
        return result;
      }),
      verifications.findWithEventsForAnyClient.override(async ({ next }, ...input) => {
        if (isErasing) await someTurns();
        const found = await next(...input);
        return found && { ...found, events: left ?? found.events };
      }),
    );
  }),
});

/** Lets some pending calls run first. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
