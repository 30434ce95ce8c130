/** Names of fields that have a label of their own: `verify:fields.{label}`. */
export type FieldLabel =
  | 'accepted'
  | 'firstName'
  | 'middleNames'
  | 'lastName'
  | 'dateOfBirth'
  | 'birthCity'
  | 'birthCountry'
  | 'nationality'
  | 'nationalities'
  | 'nationalIdNumber'
  | 'email'
  | 'phone'
  | 'role'
  | 'line1'
  | 'line2'
  | 'city'
  | 'region'
  | 'postalCode'
  | 'country'
  | 'residence'
  | 'documentType'
  | 'issuingCountry'
  | 'documentNumber'
  | 'expiresOn'
  | 'legalName'
  | 'tradingNames'
  | 'legalForm'
  | 'countryOfIncorporation'
  | 'registrationNumber'
  | 'incorporatedOn'
  | 'taxId'
  | 'vatNumber'
  | 'lei'
  | 'website'
  | 'activity'
  | 'operating'
  | 'directors'
  | 'beneficialOwners'
  | 'noBeneficialOwner'
  | 'seniorManagers'
  | 'ownershipPercent'
  | 'controlType';

interface Common {
  /** Where the answer stands in the step's answers: `placeOfBirth.city`. It is the field's name too. */
  readonly name: string;
  readonly label: FieldLabel;
  readonly optional?: boolean;
}

export interface TextSpec extends Common {
  readonly as: 'text' | 'email' | 'phone' | 'website' | 'percent' | 'code' | 'long' | 'lines';
  readonly autocomplete?: string;
  readonly size?: 'small' | 'medium';
}

export interface DateSpec extends Common {
  readonly as: 'date';
  /** The reader's own birthday. */
  readonly birthday?: boolean;
}

export interface CountrySpec extends Common {
  readonly as: 'country' | 'countries';
  readonly autocomplete?: string;
}

export interface ChoiceSpec extends Common {
  readonly as: 'choice';
  readonly choices: readonly ChoiceName[];
}

/** Names of choices: `verify:choices.{name}`. */
export type ChoiceName =
  | 'passport'
  | 'id_card'
  | 'driving_licence'
  | 'residence_permit'
  | 'direct_shares'
  | 'indirect_shares'
  | 'voting_rights'
  | 'other';

export interface StatementSpec extends Common {
  readonly as: 'statement';
}

/** People who are named one after another. */
export interface RowsSpec extends Common {
  readonly as: 'rows';
  readonly name: 'directors' | 'beneficialOwners' | 'seniorManagers';
  readonly label: 'directors' | 'beneficialOwners' | 'seniorManagers';
  /** Fields of one row; their names are those within the row. */
  readonly fields: readonly (TextSpec | DateSpec | CountrySpec | ChoiceSpec)[];
}

/** An address that may be the same as another one, and is then not given. */
export interface OtherAddressSpec extends Common {
  readonly as: 'other_address';
  readonly fields: readonly (TextSpec | CountrySpec)[];
}

/** What one field of a page asks for. It is drawn, read, repeated on the page of all answers, and named in errors by this. */
export type FieldSpec =
  | TextSpec
  | DateSpec
  | CountrySpec
  | ChoiceSpec
  | StatementSpec
  | RowsSpec
  | OtherAddressSpec;
