/** The right to have one request under way. */
export interface SenderSlot {
  /** Counts the request as a slow one from now on. */
  markSlow(): void;
  release(): void;
}

/** Bounds the requests that are under way in this process. */
export interface SenderSlots {
  /** Resolves when a slot is free, in the order of the calls. Slow requests wait without keeping others waiting. */
  take(isSlow: boolean): Promise<SenderSlot>;
}

interface Waiting {
  readonly isSlow: boolean;
  readonly give: (slot: SenderSlot) => void;
}

/** How many requests may be under way. */
export interface SlotLimits {
  /** In all. */
  readonly total: number;
  /** Requests that are not slow, or not yet. */
  readonly quick: number;
  /** Slow requests begin only below this number. Requests that turn slow count as well, and may exceed it. */
  readonly slow: number;
}

/** Creates slots for requests. A request that turns slow leaves its slot to the next quick one. */
export function createSenderSlots({ total, quick, slow }: SlotLimits): SenderSlots {
  const line: Waiting[] = [];
  let taken = 0;
  let takenBySlow = 0;

  const fits = ({ isSlow }: Waiting) => (isSlow ? takenBySlow < slow : taken - takenBySlow < quick);

  function giveFreeSlots(): void {
    while (taken < total) {
      const index = line.findIndex(fits);
      const [next] = index < 0 ? [] : line.splice(index, 1);
      if (next === undefined) return;
      next.give(newSlot(next.isSlow));
    }
  }

  function newSlot(startsSlow: boolean): SenderSlot {
    let isSlow = startsSlow;
    taken += 1;
    if (isSlow) takenBySlow += 1;
    return {
      markSlow() {
        if (isSlow) return;
        isSlow = true;
        takenBySlow += 1;
        giveFreeSlots();
      },
      release() {
        taken -= 1;
        if (isSlow) takenBySlow -= 1;
        giveFreeSlots();
      },
    };
  }

  return {
    take: (isSlow) =>
      new Promise((give) => {
        line.push({ isSlow, give });
        giveFreeSlots();
      }),
  };
}
