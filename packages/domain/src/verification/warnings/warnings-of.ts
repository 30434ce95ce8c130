import type { DateField } from '../../fields/field.ts';
import type { Verification } from '../verification.ts';
import { answeredRows } from './answered-rows.ts';
import { countryWarnings, expiryWarnings } from './document-warnings.ts';
import { fileWarnings } from './file-warnings.ts';
import { matchWarnings } from './match-warnings.ts';
import { numberWarnings } from './number-warnings.ts';
import { ageWarnings, dateWarnings, nameWarnings } from './person-warnings.ts';
import { phoneWarnings } from './phone-warnings.ts';
import { pictureWarnings } from './picture-warnings.ts';
import { readingWarnings } from './reading-warnings.ts';
import type { ReviewWarning, WarningContext } from './review-warning.ts';

/** Returns all warnings about the current and earlier answers. */
export function warningsOf(verification: Verification, context: WarningContext): readonly ReviewWarning[] {
  return [
    ...ageWarnings(verification, context),
    ...earlyDateWarnings(verification),
    ...nameWarnings(verification),
    ...dateWarnings(verification),
    ...expiryWarnings(verification, context),
    ...countryWarnings(verification),
    ...phoneWarnings(verification),
    ...numberWarnings(verification, context),
    ...fileWarnings(verification),
    ...pictureWarnings(verification, context),
    ...readingWarnings(verification, context),
    ...matchWarnings(verification, context),
  ];
}

/** Warns of dates before the first day of their field: they were accepted before the field had one. */
function earlyDateWarnings(verification: Verification): ReviewWarning[] {
  return answeredRows(verification)
    .filter(({ field, value }) => field?.kind === 'date' && typeof value === 'string' && isEarly(field, value))
    .map(({ step, path }) => ({ code: 'date_too_early', step, path }));
}

function isEarly({ notBefore = '' }: DateField, day: string): boolean {
  return day < notBefore;
}
