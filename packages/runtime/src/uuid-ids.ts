import type { Ids } from '@countersign/domain';
import { v7 } from 'uuid';

/** UUID version 7 (RFC 9562): rows lie in the order of their creation, and within one process no two are out of it. */
export function createUuidIds(): Ids {
  return { next: () => v7() };
}
