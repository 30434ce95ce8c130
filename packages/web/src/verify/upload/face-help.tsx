import type { FC } from 'hono/jsx';
import { Contact } from '../../site/appearance-parts.tsx';
import type { Page } from '../../site/page.ts';

export interface FaceHelpProps {
  readonly page: Page;
  /** Where the client helps subjects; null if it says none. */
  readonly supportAddress: string | null;
}

/** Says where subjects who cannot take a picture of their face find help. */
export const FaceHelp: FC<FaceHelpProps> = ({ page: { t }, supportAddress }) => (
  <details>
    <summary>{t('capture:faceHelp.title')}</summary>
    <p>
      {t('capture:faceHelp.text')} {supportAddress === null ? null : <Contact address={supportAddress} />}
    </p>
  </details>
);
