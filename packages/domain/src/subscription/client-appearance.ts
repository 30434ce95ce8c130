import type { Issue } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import { EMAIL_MAX, schemaOfField } from '../fields/schema.ts';
import { type AddressProblem, isHostName, readWebAddress } from '../input/web-address.ts';
import { parseColour } from './colours.ts';

/** Characters of a display name. As many fit into the subject of a mail. */
export const DISPLAY_NAME_MAX = 60;

/** How a client appears to its subjects. Null: not set. */
export interface AppearanceDetails {
  /** On one line, without addresses. Not set: the client's name. */
  readonly displayName: string | null;
  /** `#rrggbb` in lower case. */
  readonly colour: string | null;
  /** Where subjects ask for help: an e-mail address or a page (`https://…`). */
  readonly supportAddress: string | null;
  /** Where subjects ask about their data: an e-mail address or a page (`https://…`). */
  readonly privacyAddress: string | null;
}

/** A logo without its content. */
export interface LogoFacts {
  /** SHA-256 of the content in lower-case hexadecimal. */
  readonly id: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** A re-encoded logo. */
export interface Logo extends LogoFacts {
  /** A PNG. */
  readonly content: Uint8Array;
}

/** The appearance of a client: its details and its logo. */
export interface ClientAppearance extends AppearanceDetails {
  readonly logo: LogoFacts | null;
}

/** The appearance of a client that has set nothing. */
export const NO_APPEARANCE: ClientAppearance = {
  displayName: null,
  colour: null,
  supportAddress: null,
  privacyAddress: null,
  logo: null,
};

/** An appearance as an owner types it. What is left out is not set. */
export interface AppearanceInput {
  readonly displayName?: string | undefined;
  readonly colour?: string | undefined;
  readonly supportAddress?: string | undefined;
  readonly privacyAddress?: string | undefined;
}

/** Characters of a colour. */
const COLOUR_MAX = 7;

/** The fields of a client's appearance, as forms and actions take them. Texts are bounded in characters. */
export const appearanceFields: Fields<AppearanceInput> = {
  displayName: { kind: 'text', shape: 'label', max: DISPLAY_NAME_MAX, optional: true },
  colour: { kind: 'text', max: COLOUR_MAX, optional: true },
  supportAddress: { kind: 'text', max: EMAIL_MAX, optional: true },
  privacyAddress: { kind: 'text', max: EMAIL_MAX, optional: true },
};

/** The rules of each field beyond its kind. */
const RULES: Readonly<Record<keyof AppearanceInput, (text: string) => AddressProblem | null>> = {
  displayName: nameProblem,
  colour: (text) =>
    parseColour(text) === null
      ? { message: 'must be a colour of six hexadecimal digits, such as #1d4f91', code: 'not_a_colour' }
      : null,
  supportAddress: contactProblem,
  privacyAddress: contactProblem,
};

/** Finds the issues of typed details that their fields do not express. */
export function appearanceIssues(input: unknown): readonly Issue[] {
  if (typeof input !== 'object' || input === null) return [];
  const values = new Map<string, unknown>(Object.entries(input));
  return Object.entries(RULES).flatMap(([path, rule]) => {
    const value = values.get(path);
    const problem = typeof value === 'string' ? rule(value.trim()) : null;
    return problem === null ? [] : [{ path, ...problem }];
  });
}

/** Returns the details that an accepted input means. */
export function appearanceDetailsOf(input: AppearanceInput): AppearanceDetails {
  const { displayName = null, colour = '', supportAddress = null, privacyAddress = null } = input;
  return { displayName, colour: parseColour(colour), supportAddress, privacyAddress };
}

/** Returns the details of a form that is still typed: what would be refused is not set. */
export function acceptedDetails(typed: Readonly<Record<string, string>>): AppearanceDetails {
  const refused = new Set(appearanceIssues(typed).map(({ path }) => path));
  const accepted = Object.entries(appearanceFields).flatMap(([key, field]) => {
    const { success, data } = schemaOfField(field).safeParse(typed[key]);
    return success && !refused.has(key) ? [[key, data] as const] : [];
  });
  return appearanceDetailsOf(Object.fromEntries(accepted) as AppearanceInput);
}

/** An address of a client's appearance, as a link. */
export interface ContactLink {
  readonly text: string;
  readonly href: string;
}

/** Returns the link of a stored address: `mailto:` or the page itself. */
export function contactLink(address: string): ContactLink {
  return { text: address, href: isPage(address) ? address : `mailto:${address}` };
}

/** Invisible, but part of some scripts and of emoji: joiners, and selectors of the text or emoji form. */
const JOINERS = '\\u200c\\u200d\\ufe0e\\ufe0f';
const JOINER = new RegExp(`[${JOINERS}]`, 'gu');

/** Direction marks and invisible characters, such as fillers, which are letters to Unicode. */
const HIDDEN = new RegExp(`(?![${JOINERS}])[\\p{Cf}\\p{DI}\\p{Zl}\\p{Zp}\\p{Co}]`, 'u');
const VISIBLE = /[\p{L}\p{N}]/u;

/** What mail programs and messengers turn into links, and what reads like one. */
const ADDRESS =
  /:\/\/|@|(?:^|[^\p{L}\p{N}])www\.|[\p{L}\p{M}\p{N}-][.\u3002]\p{M}*\p{L}\p{M}*\p{L}|\d+\.\d+\.\d+\.\d+/iu;

/** A display name stands in titles, mails and previews of links, so it may hide nothing and lead nowhere. */
function nameProblem(name: string): AddressProblem | null {
  if (HIDDEN.test(name) || !VISIBLE.test(name)) {
    return { message: 'must have letters or digits and no invisible characters', code: 'not_plain_text' };
  }
  // Compatibility forms such as a full-width stop look the same, and joiners show nothing.
  const plain = name.normalize('NFKC').replaceAll(JOINER, '');
  return ADDRESS.test(plain)
    ? { message: 'must have no web address and no e-mail address', code: 'address_in_name' }
    : null;
}

const email = schemaOfField({ kind: 'email' });

function contactProblem(address: string): AddressProblem | null {
  if (address === '') return null;
  const isContact = isPage(address) ? isSafePage(address) : email.safeParse(address).success;
  return isContact
    ? null
    : { message: 'must be an e-mail address or a web address that begins with https://', code: 'not_a_contact' };
}

function isPage(address: string): boolean {
  return address.includes('://');
}

function isSafePage(address: string): boolean {
  const parsed = readWebAddress(address, { max: EMAIL_MAX, badHost: 'must have a host name' });
  return 'host' in parsed && parsed.scheme === 'https' && isHostName(parsed.host) && parsed.host.includes('.');
}
