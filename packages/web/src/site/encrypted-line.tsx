import type { FC } from 'hono/jsx';
import { Icon } from '../parts/icon.tsx';
import type { Page } from './page.ts';
import { WithName } from './with-name.tsx';

/** Says who sees the data of a verification. */
export const EncryptedLine: FC<{ page: Page; client: string }> = ({ page, client }) => (
  <p class="encrypted">
    <Icon page={page} name="lock" />
    <span>
      <WithName t={page.t} text="site:encrypted" name="client" value={client} />
    </span>
  </p>
);
