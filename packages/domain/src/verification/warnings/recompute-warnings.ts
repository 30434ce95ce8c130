import { CountersignError } from '../../errors.ts';
import type { ClientRepository } from '../../subscription/client-repository.ts';
import type { VerificationRecord } from '../verification-record.ts';
import type { VerificationRepository } from '../verification-repository.ts';
import { WORK_PAGE, type WorkOptions, workThrough } from '../work-through.ts';
import type { CaseWarnings } from './case-warnings.ts';

/** Which cases are recomputed. */
export interface RecomputeOptions extends WorkOptions {
  /** Default: all clients. */
  readonly clientId?: string | undefined;
  /** Whether cases whose warnings are kept of their last submission, by the current rules, are computed too. Default: only the others. */
  readonly all?: boolean | undefined;
}

/** How many cases of those that wait for a decision have each outcome. */
export interface RecomputedWarnings {
  /** Other warnings were kept than before, or the first ones. */
  readonly changed: number;
  readonly unchanged: number;
  /** Cases that cannot be read: they were left out. */
  readonly unreadable: number;
}

/**
 * Computes and keeps the warnings of cases that wait for a decision: those without any, and those of earlier rules or of an earlier submission.
 * A decided case keeps the warnings that it had. It can run beside servers, and continues after an interruption with what is left.
 * @throws CountersignError `CLIENT_NOT_FOUND`, `SERVICE_UNAVAILABLE`
 */
export type RecomputeWarnings = (options?: RecomputeOptions) => Promise<RecomputedWarnings>;

type Waiting = Pick<VerificationRecord, 'clientId' | 'id' | 'submittedAt'>;

export function createRecomputeWarnings(
  {
    clients,
    verifications,
  }: {
    readonly clients: Pick<ClientRepository, 'find'>;
    readonly verifications: Pick<VerificationRepository, 'queue'>;
  },
  keep: CaseWarnings['keep'],
): RecomputeWarnings {
  return async ({ clientId, all = false, ...options } = {}) => {
    if (clientId !== undefined && (await clients.find(clientId)) === null)
      throw new CountersignError('CLIENT_NOT_FOUND');
    const waiting = (after: Waiting | undefined, [limit, countUpTo]: readonly [number, number]) =>
      verifications.queue({
        status: 'submitted',
        type: undefined,
        clientId,
        claimedBy: undefined,
        liveOnly: false,
        after,
        limit,
        countUpTo,
      });
    const { totalCount: total } = await waiting(undefined, [1, Number.MAX_SAFE_INTEGER]);
    const page = async (after: Waiting | null) => (await waiting(after ?? undefined, [WORK_PAGE, 0])).records;
    const count = await workThrough<Waiting, Awaited<ReturnType<typeof keep>>>(
      { total, page },
      ({ clientId, id }) => keep({ clientId, verificationId: id }, { unlessCurrent: !all }),
      options,
    );
    const unchanged = count('unchanged') + count('not_waiting');
    return { changed: count('changed'), unchanged, unreadable: count('unreadable') };
  };
}
