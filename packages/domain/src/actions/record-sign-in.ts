import type { AuditRecorder } from '../audit/audit-recorder.ts';
import type { Accounts, SignInOutcome, Visitor } from '../staff/accounts.ts';
import { callerContext } from './caller.ts';

type SignedIn = SignInOutcome & { readonly outcome: 'signed_in' };

/** Writes the line of a session that has just begun, or ends it again and rejects. */
export type RecordEntry = (visitor: Visitor, outcome: SignedIn) => Promise<SignInOutcome>;

/** @param from network address as lines have it */
export function createRecordEntry(
  ports: { accounts: Accounts; recorder: AuditRecorder; onFault: (fault: unknown) => void },
  from: string | null,
): RecordEntry {
  const { accounts, recorder, onFault } = ports;

  async function end(visitor: Visitor): Promise<void> {
    try {
      await accounts.signOut(visitor);
    } catch (fault) {
      // Its cookies are given to nobody.
      onFault(fault);
    }
  }

  return async ({ clientAddress }, outcome) => {
    const cookies = cookiesOf(outcome.setCookies);
    try {
      const session = await accounts.identify(cookies);
      // Ended already, by whoever set another password or removed the account meanwhile.
      if (session === null) return { outcome: 'refused' };
      const { actor, team } = callerContext({ kind: 'user', session, from: clientAddress });
      const detail = { withSecondFactor: session.withSecondFactor };
      const about = { clientId: team?.clientId ?? null, targetId: null, detail };
      await recorder.act({
        attempt: { actor, from, action: 'account.sign_in', ...about },
        run: async () => undefined,
      });
      return outcome;
    } catch (fault) {
      await end({ cookies, clientAddress });
      throw fault;
    }
  };
}

/** The `Cookie` header of a browser that has just been given these. */
function cookiesOf(setCookies: readonly string[]): string {
  const pairs = setCookies.map((line) => line.split(';', 1)[0] ?? '');
  // Nothing after the first `=`: one that is taken away.
  return pairs.filter((pair) => pair.indexOf('=') < pair.length - 1).join('; ');
}
