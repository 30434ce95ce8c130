import { shortReference } from '@countersign/domain';
import type { FC } from 'hono/jsx';

/** Shows the short reference of the verification with this id, which people read to each other. */
export const ShortReference: FC<{ id: string }> = ({ id }) => (
  <code class="reference" translate="no">
    {shortReference(id)}
  </code>
);
