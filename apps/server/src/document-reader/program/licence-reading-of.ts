import type { DocumentReading, ReadValue } from '@countersign/domain';
import { parseAamva } from '@countersign/reading';
import { countryOf } from './countries.ts';

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
      ...value('documentNumber', licence.documentNumber, true),
      ...value('dateOfBirth', licence.birthDate, true),
      ...value('expiresOn', licence.expiresOn, true),
      ...value('issuingCountry', issuer, true),
      ...value('lastName', licence.surname, false),
      ...value('firstName', licence.givenNames, false),
    },
    ...(issuer && { issuer }),
  };
}

function value(name: string, read: string | undefined, sure: boolean): Record<string, ReadValue> {
  return read === undefined ? {} : { [name]: { value: read, sure } };
}
