import { appearanceFields, type ClientAppearance } from '@countersign/domain/clients';
import type { Context } from 'hono';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { keepForm } from '../../forms/kept-form.ts';
import type { Site } from '../../site/site.ts';
import { tokensOf } from '../../site/tokens.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { APPEARANCE_PATH } from '../paths.ts';
import { COLOUR_CONTROLS, colourIn } from './colour-field.tsx';

/** Name of the button that shows the details as they were typed. Its form is posted, so that no address in it enters a log or a history. */
export const PREVIEW = 'preview';

const KEYS = Object.keys(appearanceFields);
const CONTROLS: readonly string[] = [...KEYS, ...COLOUR_CONTROLS];

/** Returns the colour that the picker shows without one of the client: that of the buttons in the light theme. */
export function standardColour({ assets }: Site): string {
  return tokensOf(assets.textOf('tokens.css')).light.get('button') ?? '';
}

/** Returns the details of a form, with the colour as text. */
export function typedDetails(values: FormValues, standard: string): Readonly<Record<string, string>> {
  const typed = Object.fromEntries(KEYS.map((key) => [key, values.text(key)]));
  return { ...typed, colour: colourIn(values, standard) };
}

/** Returns the details that are set, as the form holds them. */
export function storedDetails({ logo: _, ...details }: ClientAppearance): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/**
 * Returns the controls of the details as they were sent beside a logo, if they differ from what is stored; otherwise null.
 * @param standard what the picker of the colour shows without one
 */
export function unsavedDetails(
  sent: FormValues,
  appearance: ClientAppearance,
  standard: string,
): FormValues | null {
  const typed = typedDetails(sent, standard);
  const stored = storedDetails(appearance);
  const isUnsaved = KEYS.some((key) => sent.has(key) && typed[key] !== (stored[key] ?? ''));
  return isUnsaved ? createFormValues(sent.entries.filter(([name]) => CONTROLS.includes(name))) : null;
}

/** Redirects to the page of the appearance, which shows the details as they were typed. Null if they cannot be kept until then. */
export function toUnsavedDetails(
  context: Context<StaffEnv>,
  site: Site,
  values: FormValues,
  logo: LogoResult,
): Response | null {
  const form = { values, errors: new Map<string, string>() };
  const owner = context.get('user').id;
  return keepForm(context, site, form, { path: APPEARANCE_PATH, query: `?done=${logo}`, owner });
}

/** What a form did to the logo. */
export type LogoResult = 'logo' | 'logoRemoved';

/** Returns what the form that redirected here did to the logo. */
export function logoResultIn({ req }: Context): LogoResult | null {
  const done = req.query('done');
  return done === 'logo' || done === 'logoRemoved' ? done : null;
}
