import type { Ids } from '@countersign/domain';

/** UUIDs of version 7 in form, counting up: `00000000-0000-7000-8000-000000000001` and so on. */
export function createCountingIds(): Ids {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return `00000000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
    },
  };
}
