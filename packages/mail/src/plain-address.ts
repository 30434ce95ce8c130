/** One plain address: no name, list, comment, quotes, space or line break. */
const PLAIN_ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

/** Reports whether a text is one plain e-mail address. nodemailer would take others for several. */
export function isPlainAddress(text: string): boolean {
  return PLAIN_ADDRESS.test(text);
}
