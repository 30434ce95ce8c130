import type { FC } from 'hono/jsx';
import { QrCode } from '../site/qr-code.tsx';
import { PhoneProgress, type PhoneProgressProps } from './handoff/phone-progress.tsx';

export interface PhonePageProps extends PhoneProgressProps {
  /** The subject's personal link. */
  readonly link: string;
  /** This page, the part of it that changes, and where the flow goes on here. */
  readonly paths: { readonly page: string; readonly progress: string; readonly goOn: string };
}

/** Hands the subject over to the phone, and shows how far it is there. */
export const PhonePage: FC<PhonePageProps> = ({ page, verification, link, paths }) => {
  const { t } = page;
  return (
    <>
      <h1>{t('capture:phone.title')}</h1>
      <p>{t('capture:phone.intro')}</p>
      <p>{t('capture:phone.scan')}</p>
      <QrCode text={link} alt={t('capture:phone.alt')} />
      <label for="phone-link">{t('capture:phone.link')}</label>
      <input
        id="phone-link"
        data-handoff-link
        type="text"
        value={link}
        readonly
        autocomplete="off"
        spellcheck={false}
      />
      <p class="notice">{t('capture:phone.personal')}</p>
      <h2 id="phone-progress-title">{t('capture:phone.follow')}</h2>
      <div
        data-handoff
        role="status"
        aria-labelledby="phone-progress-title"
        hx-get={paths.progress}
        hx-trigger="handoff-ask"
        hx-swap="innerHTML"
      >
        <PhoneProgress page={page} verification={verification} />
      </div>
      <form method="get" action={paths.page}>
        <button type="submit">{t('capture:phone.check')}</button>
      </form>
      <p>
        <a href={paths.goOn}>{t('capture:phone.here')}</a>
      </p>
    </>
  );
};
