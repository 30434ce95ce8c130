import { COUNTRIES, type PlacedField } from '@countersign/domain/flows';
import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import { partsOf } from '../forms/arranged-fields.ts';
import { likelyRegion } from '../site/formats.ts';
import type { VerifyEnv } from './session.ts';

/** Lists the fields of a screen for which a country is proposed, by name. */
export function proposedFields(fields: readonly PlacedField[]): readonly string[] {
  return fields.flatMap(({ path, field }) => {
    if (field.kind === 'group') return proposedFields(partsOf(path, field.fields));
    return field.kind === 'country' && field.proposed === true ? [path] : [];
  });
}

/** Returns the country to propose to the subject of a page; null without one. */
export function proposedCountry(context: Context<VerifyEnv>): string | null {
  const accepted = parseAccept(context.req.header('Accept-Language') ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type);
  return countryOfTags(context.get('verification').locale, accepted);
}

/**
 * Returns the country of the client's locale: `AT` for `de-AT`. For a locale without a country: that of an accepted language of the
 * browser, the same language first; then the likely one, `DE` for `de`. English is spoken in too many to be likely of one.
 */
export function countryOfTags(locale: string | null, accepted: readonly string[]): string | null {
  const language = locale === null ? undefined : languageOf(locale);
  const same = accepted.filter((tag) => languageOf(tag) === language);
  const tags = [...(locale === null ? [] : [locale]), ...same];
  return namedIn(tags) ?? likelyIn(tags) ?? namedIn(accepted) ?? likelyIn(accepted);
}

function languageOf(tag: string): string {
  return tag.split(/[-_]/)[0]?.toLowerCase() ?? '';
}

function namedIn(tags: readonly string[]): string | null {
  const regions = tags.flatMap((tag) =>
    tag
      .split(/[-_]/)
      .slice(1)
      .map((part) => part.toUpperCase()),
  );
  return regions.find((part) => COUNTRIES.includes(part)) ?? null;
}

function likelyIn(tags: readonly string[]): string | null {
  const regions = tags.filter((tag) => languageOf(tag) !== 'en').map(likelyRegion);
  return regions.find((region) => region !== null && COUNTRIES.includes(region)) ?? null;
}
