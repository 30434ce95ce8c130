/** `unknown` where the country has no check digits, or none that are known here. */
export type NumberCheck = 'fits' | 'does_not_fit' | 'unknown';

/** Check digits of national numbers, by country (ISO 3166-1 alpha-2). Whether a number belongs to anybody they do not say. */
export interface NumberChecks {
  /** A person's national identity number. */
  nationalId(country: string, number: string): NumberCheck;
  /** A business' tax number. */
  taxId(country: string, number: string): NumberCheck;
  /** A value added tax number, with or without its country prefix. */
  vatNumber(country: string, number: string): NumberCheck;
  /** A business' number in its country's register. */
  registrationNumber(country: string, number: string): NumberCheck;
}
