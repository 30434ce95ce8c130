import { type CountersignError, isCountersignError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { AppendFact } from './append-fact.ts';
import type { AuditFact, AuditOutcome } from './audit-entry.ts';

/** What is known of an act before it is carried out. */
export type Intent = Omit<AuditFact, 'at' | 'outcome'>;

/** What came of an act, where that could not be known before: the id of what it made. */
export interface Made {
  readonly targetId: string;
  readonly clientId?: string | undefined;
  readonly detail?: JsonObject | undefined;
}

export interface Act<R> {
  readonly intent: Intent;
  /** Only looking at something that is no secret: recorded where it is refused, and not otherwise. */
  readonly quiet?: boolean | undefined;
  readonly carryOut: () => Promise<R>;
  /** The code of a result that says that nothing was done; null for any other. */
  readonly refusal?: ((result: R) => string | null) | undefined;
  readonly made?: ((result: R) => Made) | undefined;
}

export interface RecordAct {
  /**
   * Writes the line, then acts: where the line cannot be written, nothing is done. An act that a rule stands in the way of
   * (`refused`), that fails (`failed`) or that makes something (`allowed`) gets a second line with `of`, the sequence of
   * the first. The result is the act's own, whether the second line could be written or not.
   */
  act<R>(act: Act<R>): Promise<R>;
  /** Writes what was refused at once. Never rejects: it changes nothing for whoever was refused. */
  refused(intent: Intent, code: string): Promise<void>;
}

export function createRecordAct(ports: { append: AppendFact; onFault: (fault: unknown) => void }): RecordAct {
  const { append, onFault } = ports;

  /** What is done can't wait for its line: it is tried twice, because one fault fails all lines that wait behind it. */
  async function appendOrTell(fact: Omit<AuditFact, 'at'>): Promise<void> {
    try {
      await append(fact).catch(() => append(fact));
    } catch (fault) {
      onFault(fault);
    }
  }

  const refused: RecordAct['refused'] = (intent, code) =>
    appendOrTell({ ...intent, outcome: 'refused', detail: { ...intent.detail, code } });

  async function look<R>({ intent, carryOut, refusal }: Act<R>): Promise<R> {
    let result: R;
    try {
      result = await carryOut();
    } catch (error) {
      if (isRefusal(error)) await refused(intent, error.code);
      throw error;
    }
    const code = refusal?.(result) ?? null;
    if (code !== null) await refused(intent, code);
    return result;
  }

  async function act<R>({ intent, carryOut, refusal, made }: Act<R>): Promise<R> {
    const line = await append({ ...intent, outcome: 'allowed' });
    const follow = (outcome: AuditOutcome, { detail, ...made }: Partial<Made>): Promise<void> => {
      const { targetId = intent.targetId, clientId = intent.clientId } = made;
      return appendOrTell({ ...intent, outcome, targetId, clientId, detail: { ...detail, of: line.sequence } });
    };

    let result: R;
    try {
      result = await carryOut();
    } catch (error) {
      const outcome = isRefusal(error) ? 'refused' : 'failed';
      await follow(outcome, { detail: { code: isCountersignError(error) ? error.code : 'INTERNAL_ERROR' } });
      throw error;
    }
    const code = refusal?.(result) ?? null;
    if (code !== null) await follow('refused', { detail: { code } });
    else if (made !== undefined) await follow('allowed', made(result));
    return result;
  }

  return { act: (given) => (given.quiet ? look(given) : act(given)), refused };
}

/** An answer of the domain is a refusal; that a database does not answer is a fault, whatever class it has. */
function isRefusal(error: unknown): error is CountersignError {
  return isCountersignError(error) && error.code !== 'SERVICE_UNAVAILABLE';
}
