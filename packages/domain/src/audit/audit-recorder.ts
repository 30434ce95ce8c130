import { type CountersignError, isCountersignError } from '../errors.ts';
import type { JsonObject } from '../input/json.ts';
import type { AppendFact } from './append-fact.ts';
import type { AuditFact, AuditOutcome } from './audit-entry.ts';
import type { RefusalLog } from './refusal-log.ts';

/** An audit entry of an action before it runs. */
export type Attempt = Omit<AuditFact, 'at' | 'outcome'>;

/** What an action created or found. */
export interface Made {
  readonly targetId: string;
  readonly clientId?: string | undefined;
  readonly detail?: JsonObject | undefined;
}

/** An action about to run, and how its result is recorded. */
export interface RecordedAction<R> {
  readonly attempt: Attempt;
  /** Whether only refused and failed attempts leave an entry. */
  readonly onlyRefusals?: boolean | undefined;
  readonly run: () => Promise<R>;
  /** Returns the code of a result that says that nothing was done; null for any other. */
  readonly refusalOf?: ((result: R) => string | null) | undefined;
  readonly made?: ((result: R) => Made | null) | undefined;
  /** For a read: what its one entry says of the result. */
  readonly found?: ((result: R) => JsonObject) | undefined;
}

export interface AuditRecorder {
  /**
   * Appends the entry, then runs the action: if the entry cannot be written, nothing is done. A read with `found` runs first, and its
   * result is returned once the entry is written. A refusal (`refused`), a
   * fault (`failed`) or something made (`allowed`) adds a second entry with `of`, the sequence of the first. The
   * result is returned even if the second entry cannot be written.
   */
  act<R>(action: RecordedAction<R>): Promise<R>;
  /** Records an attempt that was refused before it ran; one that repeats another is counted. Never rejects. */
  refused(attempt: Attempt, code: string): Promise<void>;
  /** Records an attempt that ended with this error before it ran: `refused` or `failed`. Never rejects. */
  notDone(attempt: Attempt, error: unknown): Promise<void>;
}

export function createAuditRecorder(ports: {
  append: AppendFact;
  refusals: RefusalLog;
  onFault: (fault: unknown) => void;
}): AuditRecorder {
  const { append, refusals, onFault } = ports;

  /** Tries twice, because one fault fails all entries that wait behind it; then reports the fault. */
  async function appendOrReport(fact: Omit<AuditFact, 'at'>): Promise<void> {
    try {
      await append(fact).catch(() => append(fact));
    } catch (fault) {
      onFault(fault);
    }
  }

  const recordNotRun = (attempt: Attempt, outcome: AuditOutcome, code: string): Promise<void> =>
    refusals.record({ ...attempt, outcome, detail: { ...attempt.detail, code } });

  const refused: AuditRecorder['refused'] = (attempt, code) => recordNotRun(attempt, 'refused', code);

  const notDone: AuditRecorder['notDone'] = (attempt, error) =>
    recordNotRun(attempt, isRefusal(error) ? 'refused' : 'failed', codeOf(error));

  async function actQuietly<R>({ attempt, run, refusalOf }: RecordedAction<R>): Promise<R> {
    let result: R;
    try {
      result = await run();
    } catch (error) {
      await notDone(attempt, error);
      throw error;
    }
    const code = refusalOf?.(result) ?? null;
    if (code !== null) await refused(attempt, code);
    return result;
  }

  async function act<R>({ attempt, run, refusalOf, made }: RecordedAction<R>): Promise<R> {
    const entry = await append({ ...attempt, outcome: 'allowed' });
    const follow = (outcome: AuditOutcome, { detail, ...about }: Partial<Made>): Promise<void> => {
      const { targetId = attempt.targetId, clientId = attempt.clientId } = about;
      return appendOrReport({
        ...attempt,
        outcome,
        targetId,
        clientId,
        detail: { ...detail, of: entry.sequence },
      });
    };

    let result: R;
    try {
      result = await run();
    } catch (error) {
      await follow(isRefusal(error) ? 'refused' : 'failed', { detail: { code: codeOf(error) } });
      throw error;
    }
    const code = refusalOf?.(result) ?? null;
    if (code !== null) await follow('refused', { detail: { code } });
    const what = code === null ? (made?.(result) ?? null) : null;
    if (what !== null) await follow('allowed', what);
    return result;
  }

  /** Runs a read, and appends the entry with what was found before the caller gets it. */
  async function read<R>(action: RecordedAction<R>, found: (result: R) => JsonObject): Promise<R> {
    const { attempt } = action;
    const result = await actQuietly(action);
    await append({ ...attempt, outcome: 'allowed', detail: { ...attempt.detail, ...found(result) } });
    return result;
  }

  return {
    act(action) {
      if (action.onlyRefusals) return actQuietly(action);
      return action.found === undefined ? act(action) : read(action, action.found);
    },
    refused,
    notDone,
  };
}

function codeOf(error: unknown): string {
  return isCountersignError(error) ? error.code : 'INTERNAL_ERROR';
}

/** Whether the error is a refusal. `SERVICE_UNAVAILABLE` is a fault, although it has a code. */
function isRefusal(error: unknown): error is CountersignError {
  return isCountersignError(error) && error.code !== 'SERVICE_UNAVAILABLE';
}
