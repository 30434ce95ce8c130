import type { StoragePart } from '@countersign/domain/storage';
import type { FC } from 'hono/jsx';
import type { Docs } from './docs.ts';

/** The last part of a guide's address. */
export type GuideSlug =
  | 'life-of-a-verification'
  | 'errors'
  | 'idempotency'
  | 'limits'
  | 'webhooks'
  | 'test-mode'
  | 'your-tests'
  | 'retention'
  | 'embedding';

/** A guide: a page that explains one subject from end to end. */
export interface Guide {
  readonly slug: GuideSlug;
  readonly title: string;
  /** One sentence, for the list of guides. */
  readonly summary: string;
  /** The part of the storage that it is about. Without it, the guide is left out. */
  readonly needs?: StoragePart;
  readonly Content: FC<{ docs: Docs }>;
}
