import type { Intent, RecordAct } from '../audit/record-act.ts';
import { networkOf } from '../rate-limit/client-address.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';

/** Lines a minute of one address (IPv6: one /64) for whoever is not signed in. */
const NOBODYS_LINES = { requests: 30, windowSeconds: 60 };

/** The same of all addresses together: who has many of them would fill the log all the same. */
const ALL_NOBODYS_LINES = { requests: 600, windowSeconds: 60 };

/** Records that nothing was done. Of whoever is not signed in only so much, since a flood must not fill the log. */
export type NoteRefused = (intent: Intent, code: string) => Promise<void>;

export function createNoteRefused(ports: {
  record: RecordAct;
  rateLimiter: RateLimiter;
  onFault: (fault: unknown) => void;
}): NoteRefused {
  const { record, rateLimiter, onFault } = ports;

  async function isTooMuch({ actor, from }: Intent): Promise<boolean> {
    if (actor.kind !== 'nobody') return false;
    const ofAddress = await rateLimiter.consume(`audit:${networkOf(from ?? '')}`, NOBODYS_LINES);
    if (!ofAddress.allowed) return true;
    const ofAll = await rateLimiter.consume('audit:nobody', ALL_NOBODYS_LINES);
    return !ofAll.allowed;
  }

  return async (intent, code) => {
    try {
      if (await isTooMuch(intent)) return;
    } catch (fault) {
      return onFault(fault);
    }
    await record.refused(intent, code);
  };
}
