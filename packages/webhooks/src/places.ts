/** The right to have one request under way. */
export interface Place {
  /** Counts the request as a slow one from now on. */
  markSlow(): void;
  release(): void;
}

/** Bounds the requests that are under way in this process. */
export interface Places {
  /** Resolves when a place is free, in the order of the calls. Slow requests wait without keeping others waiting. */
  take(isSlow: boolean): Promise<Place>;
}

interface Waiting {
  readonly isSlow: boolean;
  readonly give: (place: Place) => void;
}

/**
 * Creates places for requests.
 * @param total how many requests are under way at most
 * @param slow how many slow requests may begin: the other places are left to receivers that answer soon
 */
export function createPlaces({ total, slow }: { readonly total: number; readonly slow: number }): Places {
  const line: Waiting[] = [];
  let taken = 0;
  let takenBySlow = 0;

  const fits = ({ isSlow }: Waiting) => !isSlow || takenBySlow < slow;

  function giveFreePlaces(): void {
    while (taken < total) {
      const index = line.findIndex(fits);
      const [next] = index < 0 ? [] : line.splice(index, 1);
      if (next === undefined) return;
      next.give(newPlace(next.isSlow));
    }
  }

  function newPlace(startsSlow: boolean): Place {
    let isSlow = startsSlow;
    taken += 1;
    if (isSlow) takenBySlow += 1;
    return {
      markSlow() {
        if (!isSlow) takenBySlow += 1;
        isSlow = true;
      },
      release() {
        taken -= 1;
        if (isSlow) takenBySlow -= 1;
        giveFreePlaces();
      },
    };
  }

  return {
    take: (isSlow) =>
      new Promise((give) => {
        line.push({ isSlow, give });
        giveFreePlaces();
      }),
  };
}
