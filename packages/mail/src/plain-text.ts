import { type MailText, nameOfSender } from './mail-text.ts';

/** Draws a mail as plain text. Addresses stand whole on a line of their own, which mail programs do not break. */
export function plainText(mailText: MailText): string {
  const { title, lead, items, more, link, why, help, replies } = mailText;
  const list = items.map((item) => `- ${item}`).join('\n');
  const address = link === null ? [] : [`${link.button}:\n${link.url}`, link.until ?? ''];
  const contact = help === null ? '' : `${help.label} ${help.address}`;
  const parts = [nameOfSender(mailText), title, lead, list, more, ...address, why, contact, replies];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
