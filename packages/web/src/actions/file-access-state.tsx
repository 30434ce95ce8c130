import type { Client } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** Says whether the client reads the files of its verifications. */
export const FileAccessState: FC<{ client: Client; page: Page }> = ({ client, page: { t } }) => (
  <p>{t(client.fileAccess ? 'actions:fileAccess.on' : 'actions:fileAccess.off')}</p>
);
