import { uploadsPaused } from '../refusals.ts';

/** The first pause of a sender, and the longest. Each further file that is stopped doubles it. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** After this time without another stopped file, a pause begins with the first again. */
const FORGOTTEN_AFTER_MS = 60 * 60_000;

/** Makes a sender wait after a file of theirs was stopped at the decoder's deadline. */
export interface SenderPauses {
  /** @throws CountersignError `UPLOADS_PAUSED` while the sender has to wait */
  requireNone(sender: string | undefined): void;
  /** Begins a pause. */
  begin(sender: string | undefined): void;
}

/** @param now a clock in milliseconds that never goes back */
export function createSenderPauses(now: () => number): SenderPauses {
  const pauses = new Map<string, { readonly milliseconds: number; readonly until: number }>();

  return {
    requireNone(sender) {
      const left = (pauses.get(sender ?? '')?.until ?? 0) - now();
      if (left > 0) throw uploadsPaused(Math.ceil(left / 1000));
    },
    begin(sender) {
      for (const [known, { until }] of pauses) if (until + FORGOTTEN_AFTER_MS < now()) pauses.delete(known);
      if (sender === undefined) return;
      const earlier = pauses.get(sender)?.milliseconds;
      const milliseconds = earlier === undefined ? FIRST_PAUSE_MS : Math.min(2 * earlier, LONGEST_PAUSE_MS);
      pauses.set(sender, { milliseconds, until: now() + milliseconds });
    },
  };
}
