import { renderToString } from 'hono/jsx/dom/server';
import { MailPage } from './mail-page.tsx';
import type { MailText } from './mail-text.ts';
import { plainText } from './plain-text.ts';

/** The two forms of a mail's text, with the same words. Mail programs show one of them. */
export interface DrawnMail {
  readonly text: string;
  readonly html: string;
}

/** Draws a mail as plain text and as HTML. The HTML loads nothing but the client's logo. */
export function drawMail(mailText: MailText): DrawnMail {
  return { text: plainText(mailText), html: `<!doctype html>${renderToString(<MailPage {...mailText} />)}` };
}
