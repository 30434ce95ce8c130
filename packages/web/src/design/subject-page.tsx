import type { FC } from 'hono/jsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { AppearanceName } from '../site/appearance-parts.tsx';
import type { Page } from '../site/page.ts';
import { PhoneOffer } from '../verify/phone-offer.tsx';
import { UploadForm } from '../verify/upload/upload-form.tsx';
import { DESIGN_PATH } from './paths.ts';
import { HARD, LOGO_CLIENT, LOGOS } from './values.ts';

/** What pages of subjects have: the client's logo, a drop area, and one thing to do next. */
export const SubjectParts: FC<{ page: Page }> = ({ page }) => (
  <>
    <h1>Photograph the front of your card</h1>
    <UploadForm
      page={page}
      evidence="document_front"
      drawing="front"
      hasLines={false}
      action={page.href(`${DESIGN_PATH}/subject`)}
      errors={new Map()}
      phone={page.href(`${DESIGN_PATH}/subject`)}
      supportAddress={null}
      canKeep
      canSkip
    />
    <h2>Logos</h2>
    {Object.entries(LOGOS).map(([id, sides]) => (
      <p>
        <AppearanceName
          page={page}
          appearance={{ clientId: LOGO_CLIENT, name: `A ${id} logo`, logo: { id, ...sides } }}
        />
      </p>
    ))}
    <p>
      <AppearanceName page={page} appearance={{ clientId: LOGO_CLIENT, name: HARD.rightToLeft, logo: null }} />
    </p>
    <PhoneOffer address={page.href(`${DESIGN_PATH}/subject`)} label={HARD.longWord} hint={HARD.longWord} />
    <EncryptedLine page={page} client={HARD.rightToLeft} />
  </>
);
