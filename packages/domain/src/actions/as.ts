import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import { auditDetail, auditId } from '../audit/audit-values.ts';
import { CountersignError, type Issue, isCountersignError } from '../errors.ts';
import { schemaOfField } from '../fields/schema.ts';
import type { JsonObject, JsonValue } from '../input/json.ts';
import { parseInput, valueAt } from '../input/parse.ts';
import type { Runtime } from '../runtime.ts';
import type { Accounts } from '../staff/accounts.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import { notAvailable } from '../storage-part.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { type AccountActions, createAccountActions } from './account.ts';
import type { AccountMail } from './account-records.ts';
import type { Action, ActionEntry } from './action.ts';
import { type Caller, type CallerContext, callerContext } from './caller.ts';
import { isConfirmed, isOneOf } from './rights.ts';
import type { Services } from './services.ts';
import { createThrottledSessions } from './throttled-sessions.ts';

/** The actions of one caller. */
export interface As {
  /**
   * Whether the caller may run the action now, after confirming their password, or not at all, such as one that needs a part which the
   * storage lacks. For menus, buttons and
   * pages; `run` checks again.
   */
  may(action: ActionEntry): 'yes' | 'after_confirmation' | 'no';
  /**
   * Runs the action and records it in the audit log.
   * @throws CountersignError `NOT_AVAILABLE`, `NOT_ALLOWED`, `CONFIRMATION_NEEDED`, `INVALID_PARAMETERS`, and the action's `outcomes`
   */
  run<I, O>(action: Action<I, O>, input: I): Promise<O>;
  /** Runs the action with the untyped input of a form or a command. @throws as `run` */
  runUnchecked<O>(action: Action<never, O>, input: unknown): Promise<O>;
  /** Signing in and out, joining and the second factor: recorded like actions, with outcomes of their own. */
  account(accounts: Accounts): AccountActions;
  /**
   * Records a request that was refused before it reached an action: a page of another role, a forged origin, a session
   * that has ended. The number of entries of anonymous callers is limited. Never rejects.
   */
  recordRefusal(refusal: Refusal): Promise<void>;
}

/** A request that was refused before it reached an action. */
export interface Refusal {
  readonly action: AuditAction;
  /** Kept in the entry; `code` defaults to `NOT_ALLOWED`. */
  readonly detail: JsonObject;
  /** The client that the request was about. Users of a team are always recorded with their own client. */
  readonly clientId?: string | undefined;
  readonly targetId?: string | undefined;
}

export interface AsPorts extends Pick<Runtime, 'clock' | 'onFault'> {
  readonly services: Services;
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly recorder: AuditRecorder;
  readonly staff: ManageStaff | undefined;
  readonly mail?: AccountMail | undefined;
}

/** Binds the actions to a caller. */
export function createAs(ports: AsPorts): (caller: Caller) => As {
  const { services, clients, clock, recorder, staff, mail, onFault } = ports;
  const throttledSessions = createThrottledSessions(clock, recorder);

  const missingPart = ({ needs }: ActionEntry) => needs.find((part) => !services.parts.has(part));

  /** Returns the refusal with which `run` would reject. Not an Error: pages ask for each of their links, and creating a stack is slow. */
  function refusalOf(
    { who, reauthenticate, liveOnly }: ActionEntry,
    caller: CallerContext,
  ): 'NOT_ALLOWED' | 'CONFIRMATION_NEEDED' | null {
    if (!isOneOf(who, caller) || (liveOnly && caller.team?.mode === 'test')) return 'NOT_ALLOWED';
    if (!reauthenticate || caller.session === null || isConfirmed(caller.session, clock.now())) return null;
    return 'CONFIRMATION_NEEDED';
  }

  /** Parses the input. A refusal leaves an entry that names the fields, not what was typed. */
  async function parse<I, O>(action: Action<I, O>, input: unknown, attempt: Attempt): Promise<unknown> {
    try {
      return parseInput(action.schema, input, (given) => action.check?.(given, services) ?? []);
    } catch (error) {
      if (!isCountersignError(error)) throw error;
      const fields = fieldsIn(action, error.data?.issues ?? []);
      const detail = fields === '' ? attempt.detail : { ...attempt.detail, fields };
      await recorder.refused({ ...attempt, detail }, error.code);
      throw error;
    }
  }

  /** Finds the client that the action is about, by the target of the raw input. A failed lookup leaves an entry too. */
  async function clientOf<I, O>(
    { clientOf: find }: Action<I, O>,
    attempt: Attempt,
    caller: CallerContext,
  ): Promise<string | null> {
    const { clientId, targetId } = attempt;
    if (find === null || targetId === null) return clientId;
    try {
      const found = await find(services, targetId, caller);
      return clientId ?? found;
    } catch (error) {
      await recorder.notDone(attempt, error);
      throw error;
    }
  }

  async function run<I, O>(action: Action<I, O>, raw: unknown, caller: CallerContext): Promise<O> {
    const missing = missingPart(action);
    if (missing !== undefined) throw notAvailable(missing);
    const tried = attemptOf(action, raw, caller);
    const refusal = refusalOf(action, caller);
    if (refusal !== null) {
      await recorder.refused(tried, refusal);
      throw new CountersignError(refusal);
    }
    const attempt = { ...tried, clientId: await clientOf(action, tried, caller) };
    const input = (await parse(action, raw, attempt)) as I;
    return recorder.act({
      attempt: { ...attempt, detail: { ...attempt.detail, ...action.detailOf?.(input) } },
      onlyRefusals: action.logLevel(caller) === 'refusals',
      run: () => action.run(services, input, caller),
      ...(action.made !== null && { made: action.made }),
      ...(action.foundOf !== null && { found: action.foundOf }),
    });
  }

  /** Puts the test twin in the place of the client, for a user who acts in test mode. */
  async function inMode(context: CallerContext): Promise<CallerContext> {
    const { team } = context;
    if (team?.mode !== 'test') return context;
    const { id: clientId } = await services.clients.testTwin(team.clientId);
    return { ...context, team: { ...team, clientId } };
  }

  return (caller) => {
    const context = callerContext(caller);
    let found: Promise<CallerContext> | undefined;
    /** Finds the client once, for all actions of the caller. A failed read is tried again by the next. */
    const acting = (): Promise<CallerContext> => {
      found ??= inMode(context).catch((error: unknown) => {
        found = undefined;
        throw error;
      });
      return found;
    };
    return {
      may(action) {
        if (missingPart(action) !== undefined) return 'no';
        const refusal = refusalOf(action, context);
        if (refusal === null) return 'yes';
        return refusal === 'CONFIRMATION_NEEDED' ? 'after_confirmation' : 'no';
      },
      run: async (action, input) => run(action, input, await acting()),
      runUnchecked: async (action, input) => run(action, input, await acting()),
      account: (accounts) =>
        createAccountActions(
          { accounts, staff, mail, clients, clock, recorder, throttledSessions, onFault },
          context,
        ),
      async recordRefusal({ action, detail: { code, ...detail }, clientId, targetId }) {
        const { actor, from, team } = await acting().catch(() => context);
        const about = { clientId: team?.clientId ?? auditId(clientId), targetId: auditId(targetId) };
        const attempt = { actor, from, action, ...about, detail: auditDetail(detail) };
        return recorder.refused(attempt, typeof code === 'string' ? code : 'NOT_ALLOWED');
      },
    };
  };
}

/** Makes the attempt of an entry. Of the raw input it keeps only values that their own field accepts. */
function attemptOf(action: ActionEntry, raw: unknown, { actor, from, team }: CallerContext): Attempt {
  const { id, target, client } = action;
  const idAt = (name: string | null): string | null => (name === null ? null : auditId(valueAt(raw, [name])));
  return {
    actor,
    from,
    action: id,
    clientId: team?.clientId ?? idAt(client),
    targetId: idAt(target),
    detail: keptOf(action, raw),
  };
}

function keptOf({ fields, keep }: ActionEntry, raw: unknown): JsonObject {
  const kept = keep.flatMap((name): [string, JsonValue][] => {
    const field = fields[name];
    const value = valueAt(raw, [name]);
    if (field === undefined || value === undefined) return [];
    if (field.kind === 'id') {
      const id = auditId(value);
      return id === null ? [] : [[name, id]];
    }
    const { success, data } = schemaOfField(field).safeParse(value);
    return success ? [[name, data as JsonValue]] : [];
  });
  return Object.fromEntries(kept);
}

/** The fields of the action that the issues are about, joined by commas. */
function fieldsIn({ fields }: ActionEntry, issues: readonly Issue[]): string {
  const names = issues
    .map(({ path }) => path.split('.', 1)[0] ?? '')
    .filter((name) => Object.hasOwn(fields, name));
  return [...new Set(names)].join(',');
}
