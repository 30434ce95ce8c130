import type { Clock } from '../runtime.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { ReviewLoad } from './review-load.ts';
import type { ReviewContext } from './review-verification.ts';
import type { Verification } from './verification.ts';
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
   * The numbers are up to 10 seconds old: they count every client. Calls at the same time share a reading. The decisions of this process
   * that `countsAfter` made are counted in `waiting`, `decided` and `decisions`.
   */
  day(): Promise<TeamDay>;
}

interface TeamDayReader extends ReadTeamDay {
  /** Wraps a decision, and adds it to the last reading: another reading would read everything that waits. */
  countsAfter<C extends Reviewer, A extends readonly unknown[]>(
    decide: (context: C, ...args: A) => Promise<Verification>,
  ): (context: C, ...args: A) => Promise<Verification>;
}

type Reviewer = Pick<ReviewContext, 'reviewerId'>;

/** Longest time that a reading is used again. */
const REMEMBERED_MS = 10_000;

interface Reading {
  readonly at: number;
  day: Promise<TeamDay>;
  isComplete: boolean;
}

export function createReadTeamDay({
  verifications,
  clients,
  clock,
}: {
  verifications: Pick<VerificationRepository, 'reviewLoad'>;
  clients: Pick<ClientRepository, 'find'>;
  clock: Clock;
}): TeamDayReader {
  let remembered: Reading | null = null;

  async function read(now: Date): Promise<TeamDay> {
    const load = await verifications.reviewLoad({ now, decidedFrom: new Date(dayOf(now) * DAY_MS) });
    return withTotal(load);
  }

  /** Adds a decision to a reading, unless it is of a test client. */
  async function add(reading: Reading, verification: Verification, context: Reviewer): Promise<void> {
    const found = await clients.find(verification.clientId).catch(() => null);
    // If the client cannot be read, or another decision made the reading unsure meanwhile, the next call reads everything again.
    if (found === null || reading !== remembered) remembered = null;
    else if (found.client.testOf === null)
      reading.day = reading.day.then((day) => withDecision(day, verification, context));
  }

  return {
    countsAfter:
      (decide) =>
      async (context, ...args) => {
        const before = remembered?.isComplete === true ? remembered : null;
        const verification = await decide(context, ...args);
        // A reading that ended after the decision began may or may not include it.
        if (before === null || before !== remembered) remembered = null;
        else await add(before, verification, context);
        return verification;
      },

    async day() {
      const now = clock.now();
      const at = now.getTime();
      if (remembered !== null && at >= remembered.at && at < remembered.at + REMEMBERED_MS) return remembered.day;
      const reading: Reading = { at, day: read(now), isComplete: false };
      remembered = reading;
      try {
        const day = await reading.day;
        reading.isComplete = true;
        return day;
      } catch (error) {
        if (remembered === reading) remembered = null;
        throw error;
      }
    },
  };
}

function withTotal(load: ReviewLoad): TeamDay {
  const decided = load.decisions.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0);
  return { ...load, decided };
}

/** Adds a decision. What waits longest, what is overdue and the median stay as they were read. */
function withDecision(day: TeamDay, { status }: Verification, { reviewerId }: Reviewer): TeamDay {
  if (status !== 'approved' && status !== 'rejected') return day;
  const own = day.decisions.find((each) => each.reviewerId === reviewerId);
  const counted = { reviewerId, approved: 0, rejected: 0, ...own };
  counted[status] += 1;
  const others = day.decisions.filter((each) => each !== own);
  return withTotal({ ...day, waiting: Math.max(0, day.waiting - 1), decisions: [...others, counted] });
}
