import { renderToString } from 'hono/jsx/dom/server';
import type { MailText } from './mail-text.ts';

/** The two forms of a mail's text. Mail programs show one of them. */
export interface DrawnMail {
  readonly text: string;
  readonly html: string;
}

/** Draws a mail as plain text and as HTML. The HTML loads nothing: no picture, no style sheet, no font. */
export function drawMail(mailText: MailText): DrawnMail {
  return { text: plainText(mailText), html: `<!doctype html>${renderToString(<Page {...mailText} />)}` };
}

function plainText({ lead, items, more, link, notes }: MailText): string {
  const list = items.map((item) => `- ${item}`).join('\n');
  const address = link === null ? [] : [`${link.button}:\n${link.url}`, link.until ?? ''];
  const parts = [lead, list, more, ...address, ...notes];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

// Mail programs drop style sheets, so each element has its style. Colours that a dark mode can turn around are left to it.
const BODY = 'margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5';
const COLUMN = 'max-width:560px;margin:0 auto';
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background-color:#0b5ea8;color:#ffffff;font-weight:600;text-decoration:none';
const ADDRESS = 'word-break:break-all';
const NOTES = 'margin-top:32px;padding-top:16px;border-top:1px solid #8a8a8a;font-size:14px';

function Page({ language, lead, items, more, link, notes }: MailText) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{lead}</title>
      </head>
      <body style={BODY}>
        <div style={COLUMN}>
          <p>{lead}</p>
          {items.length > 0 && (
            <ul>
              {items.map((item) => (
                <li>{item}</li>
              ))}
            </ul>
          )}
          <p>{more}</p>
          {link !== null && (
            <>
              <p>
                <a href={link.url} style={BUTTON}>
                  {link.button}
                </a>
              </p>
              <p>
                {link.paste}
                <br />
                <a href={link.url} style={ADDRESS}>
                  {link.url}
                </a>
              </p>
              {link.until !== null && <p>{link.until}</p>}
            </>
          )}
          <div style={NOTES}>
            {notes.map((note) => (
              <p>{note}</p>
            ))}
          </div>
        </div>
      </body>
    </html>
  );
}
