import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { WithName } from '../site/with-name.tsx';
import { Icon } from './icon.tsx';

/** Says who sees the data of a verification. */
export const EncryptedLine: FC<{ page: Page; client: string }> = ({ page, client }) => (
  <p class="encrypted">
    <Icon page={page} name="lock" />
    <span>
      <WithName t={page.t} text="site:encrypted" name="client" value={client} />
    </span>
  </p>
);
