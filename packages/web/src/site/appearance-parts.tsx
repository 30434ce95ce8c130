import { contactLink, logoPath, type ShownAppearance } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { colourPath } from './appearance.ts';
import type { Page } from './page.ts';

/** What messengers show of a pasted link. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
}

/** The colour of the client, for the head of a page. */
export const AppearanceStyle: FC<{ page: Page; appearance: ShownAppearance | null }> = ({ page, appearance }) =>
  appearance === null || appearance.colour === null ? null : (
    <link rel="stylesheet" href={page.href(colourPath(appearance.colour))} />
  );

/** The tags of the Open Graph protocol (https://ogp.me). Messengers read them from the page of a link. */
export const PreviewTags: FC<{ page: Page; appearance: ShownAppearance | null; preview: LinkPreview }> = (
  props,
) => {
  const { page, appearance, preview } = props;
  const image = appearance && logoPath(appearance.clientId, appearance.logo);
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:title" content={preview.title} />
      <meta property="og:description" content={preview.description} />
      <meta property="og:site_name" content={appearance?.name ?? page.t('site:name')} />
      <meta property="og:locale" content={page.t('site:ogLocale')} />
      {image === null ? null : (
        <>
          <meta property="og:image" content={page.url(image)} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(appearance?.logo?.width)} />
          <meta property="og:image:height" content={String(appearance?.logo?.height)} />
          <meta property="og:image:alt" content={appearance?.name} />
        </>
      )}
      <meta name="description" content={preview.description} />
      <meta name="twitter:card" content="summary" />
    </>
  );
};

/** The logo of the client, or its name. */
export const AppearanceName: FC<{
  page: Page;
  appearance: Pick<ShownAppearance, 'clientId' | 'name' | 'logo'>;
}> = ({ page, appearance: { clientId, name, logo } }) => {
  const source = logoPath(clientId, logo);
  return source === null || logo === null ? (
    <bdi class="site-name appearance-name">{name}</bdi>
  ) : (
    <span class="site-name">
      <img class="appearance-logo" src={page.href(source)} alt={name} width={logo.width} height={logo.height} />
    </span>
  );
};

/** Where subjects find help, and where they ask about their data. */
export const AppearanceContacts: FC<{
  page: Page;
  appearance: Pick<ShownAppearance, 'supportAddress' | 'privacyAddress'>;
  /** Whether the addresses are no links, as in a preview. */
  isPlain?: boolean;
}> = ({ page: { t }, appearance: { supportAddress, privacyAddress }, isPlain = false }) =>
  supportAddress === null && privacyAddress === null ? null : (
    <ul class="appearance-contacts">
      {supportAddress === null ? null : (
        <li>
          {t('site:appearance.support')} {isPlain ? supportAddress : <Contact address={supportAddress} />}
        </li>
      )}
      {privacyAddress === null ? null : (
        <li>
          {t('site:appearance.privacy')} {isPlain ? privacyAddress : <Contact address={privacyAddress} />}
        </li>
      )}
    </ul>
  );

/** An address as a link. Older browsers learn from `rel` that its page gets no referrer. */
export const Contact: FC<{ address: string }> = ({ address }) => {
  const { href, text } = contactLink(address);
  return (
    <a href={href} rel="noreferrer">
      {text}
    </a>
  );
};
