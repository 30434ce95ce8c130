import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CallerContext } from './caller.ts';
import { isConfirmed } from './confirmation.ts';
import { type ToldDetail, toldDetail, toldId } from './told.ts';

/** Who may call an operation, and what is recorded of it. */
export interface Rule<A extends readonly unknown[], R, Right> {
  readonly action: AuditAction;
  /** What the role must allow beyond the desk itself. */
  readonly right?: Right | undefined;
  /** Whether identity must have been confirmed within `CONFIRMED_MS`. Never asked of the command line. */
  readonly confirmed?: boolean | undefined;
  /** Recorded only where it is refused. */
  readonly quiet?: boolean | undefined;
  /** Given what the operation was called with. */
  readonly tells?: ((args: A) => Told) | undefined;
  /** Whose affairs it is about, where that must be looked up. Only done for those who may. */
  readonly looksUpClient?: ((args: A) => Promise<string | null>) | undefined;
  readonly made?: ((result: R) => MadeNow) | undefined;
}

/** What a line says of a call. Ids may be whatever was sent: what cannot be one is left out. */
export interface Told {
  readonly targetId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly detail?: ToldDetail | undefined;
}

/** What a call made, which could not be known before: told by a second line. */
export interface MadeNow {
  readonly targetId: string;
  readonly clientId?: string | undefined;
  readonly detail?: ToldDetail | undefined;
}

/** Puts a rule before an operation. */
export type Guard<Right> = <A extends readonly unknown[], R>(
  rule: Rule<NoInfer<A>, NoInfer<R>, Right>,
  operation: (...args: A) => Promise<R>,
) => (...args: A) => Promise<R>;

export interface GuardPorts {
  readonly clock: Clock;
  readonly recorder: AuditRecorder;
}

/** @param mayUse whether the role is enough, for the desk as such where `right` is undefined */
export function createGuard<Right = never>(
  { clock, recorder }: GuardPorts,
  { actor, from, team, session }: CallerContext,
  mayUse: (right: Right | undefined) => boolean,
): Guard<Right> {
  function intentOf(action: AuditAction, { targetId, clientId, detail = {} }: Told): Attempt {
    const whose = clientId === undefined ? (team?.clientId ?? null) : toldId(clientId);
    return { actor, from, action, clientId: whose, targetId: toldId(targetId), detail: toldDetail(detail) };
  }

  function refusalOf(right: Right | undefined, confirmed: boolean): CountersignError | null {
    if (!mayUse(right)) return notAllowed();
    if (!confirmed || session === null || isConfirmed(session, clock.now())) return null;
    return new CountersignError('CONFIRMATION_NEEDED', 'Confirm first who you are');
  }

  return (rule, operation) =>
    async (...args) => {
      const { action, right, confirmed = false, quiet, tells, looksUpClient, made } = rule;
      const intent = intentOf(action, tells?.(args) ?? {});
      const refusal = refusalOf(right, confirmed);
      if (refusal !== null) {
        await recorder.refused(intent, refusal.code);
        throw refusal;
      }
      const clientId = looksUpClient === undefined ? intent.clientId : await looksUpClient(args);
      return recorder.act({
        attempt: { ...intent, clientId },
        onlyRefusals: quiet,
        run: () => operation(...args),
        made: made && ((result) => toldMade(made(result))),
      });
    };
}

export function notAllowed(): CountersignError {
  return new CountersignError('NOT_ALLOWED', 'This is not for your role');
}

/** The rule of looking at something that no subject handed in; its name is told where it is refused. */
export function look(operation: string): {
  action: 'page.request';
  quiet: true;
  tells: (args: readonly unknown[]) => Told;
} {
  return {
    action: 'page.request',
    quiet: true,
    tells: ([targetId]) => ({ detail: { operation }, ...(typeof targetId === 'string' && { targetId }) }),
  };
}

function toldMade({
  detail = {},
  ...made
}: MadeNow): MadeNow & { readonly detail: ReturnType<typeof toldDetail> } {
  return { ...made, detail: toldDetail(detail) };
}

/** Called with the id of what it is about, and perhaps more. */
export type OnOne = readonly [string, ...unknown[]];
