import { contactLink } from '@countersign/domain/clients';
import type { MailLogo } from '@countersign/domain/mail';
import type { FC } from 'hono/jsx';
import { BOX, type MailStyles, mailStyles } from './mail-styles.ts';
import { type MailText, nameOfSender } from './mail-text.ts';
import { SPACE } from './theme.ts';

/** Greatest size of a logo in a mail, in pixels. */
const LOGO_MAX = { width: 240, height: 40 };

/** A logo of this width holds the client's name. A narrower one is a symbol, and the name stands beside it. */
const NAME_LOGO_PX = 96;

/** Draws a mail with tables and with styles on each element, because mail programs drop or change everything else. */
export const MailPage: FC<MailText> = (mail) => {
  const { language, brand, title, lead, items, more, link, why, help, replies } = mail;
  const styles = mailStyles(brand?.colour ?? null);
  const { colours, sheet } = styles;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: sheet }} />
      </head>
      <body class="page" style={`${BOX.body};${colours.page}`}>
        <table role="presentation" width="100%" cellpadding={0} cellspacing={0} class="page" style={colours.page}>
          <tr>
            <td align="center" style={BOX.outer}>
              <table role="presentation" width={560} cellpadding={0} cellspacing={0} style={BOX.column}>
                <tr>
                  <td style={BOX.header}>
                    <Header {...mail} colours={colours} />
                  </td>
                </tr>
                <tr>
                  <td class="card" style={`${BOX.card};${colours.card}`}>
                    <h1 class="text" style={`${BOX.title};${colours.text}`}>
                      {title}
                    </h1>
                    <p class="text" style={`${BOX.text};${colours.text}`}>
                      {lead}
                    </p>
                    {items.length > 0 && (
                      <ul class="text" style={`${BOX.list};${colours.text}`}>
                        {items.map((item) => (
                          <li style={BOX.item}>{item}</li>
                        ))}
                      </ul>
                    )}
                    <p class="text" style={`${BOX.more};${colours.text}`}>
                      {more}
                    </p>
                    {link !== null && <Action link={link} colours={colours} />}
                  </td>
                </tr>
                <tr>
                  <td style={BOX.notes}>
                    <p class="muted" style={`${BOX.note};${colours.muted}`}>
                      {why}
                    </p>
                    {help !== null && (
                      <p class="muted" style={`${BOX.note};${colours.muted}`}>
                        {help.label}{' '}
                        <a href={contactLink(help.address).href} class="link" style={colours.link}>
                          {help.address}
                        </a>
                      </p>
                    )}
                    <p class="muted" style={`${BOX.small};${colours.muted}`}>
                      {replies}
                    </p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
};

type Coloured = Pick<MailStyles, 'colours'>;

/** The logo of the client, or its name; the mark and the name of the service in its own mails. */
function Header({ colours, ...mail }: MailText & Coloured) {
  const { brand } = mail;
  const name = nameOfSender(mail);
  const logo = brand?.logo ? scaled(brand.logo) : null;
  const hasName = logo !== null && logo.width >= NAME_LOGO_PX;
  return (
    <table role="presentation" cellpadding={0} cellspacing={0}>
      <tr>
        {brand === null && (
          <td
            class="mark"
            width={32}
            height={32}
            align="center"
            aria-hidden="true"
            style={`${BOX.mark};${colours.mark}`}
          >
            ✓
          </td>
        )}
        {logo !== null && (
          <td>
            <img
              class="logo"
              src={logo.url}
              width={logo.width}
              height={logo.height}
              alt={hasName ? name : ''}
              style={`${BOX.logo};${colours.logo}`}
            />
          </td>
        )}
        {!hasName && (
          <td
            class="text"
            style={`${BOX.name};${colours.text};padding-left:${brand !== null && logo === null ? 0 : SPACE.s3}px`}
          >
            {name}
          </td>
        )}
      </tr>
    </table>
  );
}

/** The button, its address for programs that show no button, and the end of the link. */
function Action({ link, colours }: { readonly link: NonNullable<MailText['link']> } & Coloured) {
  return (
    <>
      <table role="presentation" cellpadding={0} cellspacing={0} class="action" style={BOX.action}>
        <tr>
          <td class="button" style={`${BOX.button};${colours.button}`}>
            <a href={link.url} class="buttonText" style={`${BOX.buttonText};${colours.buttonText}`}>
              {link.button}
            </a>
          </td>
        </tr>
      </table>
      <p class="muted" style={`${BOX.small};${colours.muted}`}>
        <a href={link.url} class="link" style={colours.link}>
          {link.shown}
        </a>
      </p>
      {link.until !== null && (
        <p class="muted" style={`${BOX.until};${colours.muted}`}>
          {link.until}
        </p>
      )}
    </>
  );
}

/** Makes a logo fit, and never larger. */
function scaled({ url, width, height }: MailLogo): MailLogo {
  const scale = Math.min(1, LOGO_MAX.width / width, LOGO_MAX.height / height);
  const fitted = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { url, width: fitted(width), height: fitted(height) };
}
