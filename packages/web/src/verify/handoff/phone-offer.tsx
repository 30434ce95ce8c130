import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';

/** Leads from a computer to the page with the QR code. Its style hides it where the first pointer is a finger. */
export const PhoneOffer: FC<{ page: Page; path: string }> = ({ page: { t, href }, path }) => (
  <p class="phone-offer">
    <a href={href(path)}>{t('capture:phone.offer')}</a> <span class="quiet">{t('capture:phone.offerHint')}</span>
  </p>
);
