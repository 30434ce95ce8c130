/** Values that a reader finds on an identity document. */
export const READ_FIELDS = [
  'documentNumber',
  'dateOfBirth',
  'expiresOn',
  'issuingCountry',
  'nationality',
  'lastName',
  'firstName',
] as const;
/** A value that a reader finds on an identity document: one of `READ_FIELDS`. */
export type ReadField = (typeof READ_FIELDS)[number];
