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

/** How many requests may be under way. */
export interface PlaceLimits {
  /** In all. */
  readonly total: number;
  /** Requests that are not slow, or not yet. */
  readonly quick: number;
  /** Slow requests begin only below this number. Requests that turn slow count as well, and may exceed it. */
  readonly slow: number;
}

/** Creates places for requests. A request that turns slow leaves its place to the next quick one. */
export function createPlaces({ total, quick, slow }: PlaceLimits): Places {
  const line: Waiting[] = [];
  let taken = 0;
  let takenBySlow = 0;

  const fits = ({ isSlow }: Waiting) => (isSlow ? takenBySlow < slow : taken - takenBySlow < quick);

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
        if (isSlow) return;
        isSlow = true;
        takenBySlow += 1;
        giveFreePlaces();
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
