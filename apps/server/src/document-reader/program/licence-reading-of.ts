import type { DocumentReading } from '@countersign/domain';
import { countryOf, parseAamva } from '@countersign/reading';
import { readValue } from './read-value.ts';

/**
 * Returns what the text of a licence's barcode says as a reading; nothing for another text, or none. The barcode corrects its own errors,
 * so values that follow their rules are sure, except names.
 */
export function licenceReadingOf(text: string | undefined, readerVersion: string): DocumentReading {
  const licence = text === undefined ? undefined : parseAamva(text);
  if (licence === undefined) return { outcome: 'nothing', readerVersion, fields: {} };
  const issuer = licence.issuingState && countryOf(licence.issuingState);
  return {
    outcome: 'read',
    readerVersion,
    fields: {
      ...readValue('documentNumber', licence.documentNumber, true),
      ...readValue('dateOfBirth', licence.birthDate, true),
      ...readValue('expiresOn', licence.expiresOn, true),
      ...readValue('issuingCountry', issuer, true),
      ...readValue('lastName', licence.surname, false),
      ...readValue('firstName', licence.givenNames, false),
    },
    ...(issuer && { issuer }),
  };
}
