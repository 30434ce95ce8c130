import type { Clock } from '../runtime.ts';
import type { ReviewLoad } from './review-load.ts';
import { DAY_MS, dayOf } from './verification-counts.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** What waits for the reviewers of an installation, and what they decided today, in UTC. */
export interface TeamDay extends ReviewLoad {
  /** The sum of `decisions`. */
  readonly decided: number;
}

/** Reads the day of the reviewers. */
export interface ReadTeamDay {
  /**
   * The numbers are up to 10 seconds old: they count every client. Calls at the same time share a reading. A decision of this process that
   * `countsAfter` made is in them.
   */
  day(): Promise<TeamDay>;
}

interface TeamDayReader extends ReadTeamDay {
  /** Wraps a decision: the next reading after it is a new one. */
  countsAfter<A extends readonly unknown[], R>(decide: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
}

/** Longest time that a reading is used again. */
const REMEMBERED_MS = 10_000;

export function createReadTeamDay({
  verifications,
  clock,
}: {
  verifications: Pick<VerificationRepository, 'reviewLoad'>;
  clock: Clock;
}): TeamDayReader {
  let remembered: { readonly at: number; readonly day: Promise<TeamDay> } | null = null;

  async function read(now: Date): Promise<TeamDay> {
    const load = await verifications.reviewLoad({ now, decidedFrom: new Date(dayOf(now) * DAY_MS) });
    return {
      ...load,
      decided: load.decisions.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0),
    };
  }

  return {
    countsAfter:
      (decide) =>
      async (...args) => {
        const decided = await decide(...args);
        remembered = null;
        return decided;
      },

    async day() {
      const now = clock.now();
      const at = now.getTime();
      if (remembered !== null && at >= remembered.at && at < remembered.at + REMEMBERED_MS) return remembered.day;
      const reading = { at, day: read(now) };
      remembered = reading;
      try {
        return await reading.day;
      } catch (error) {
        if (remembered === reading) remembered = null;
        throw error;
      }
    },
  };
}
