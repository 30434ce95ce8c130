import type { StoredReading } from '../../reading/stored-reading.ts';
import type { StepKey } from '../flow.ts';

export const WARNING_CODES = [
  'under_age',
  'date_too_early',
  'document_expired',
  'name_mismatch',
  'date_mismatch',
  'country_mismatch',
  'national_id_does_not_fit',
  'tax_id_does_not_fit',
  'vat_number_does_not_fit',
  'registration_number_does_not_fit',
  'lei_does_not_fit',
  'picture_blurred',
  'picture_glare',
  'pdf_script',
  'pdf_attachment',
  'pdf_form',
  'pdf_launch',
  'pdf_pages_left_out',
  'same_file',
  'file_unchanged',
  'reading_edited',
  'reading_differs',
  'reading_expired',
  'reading_type_differs',
  'reading_state_differs',
  'readings_contradict',
  'check_digits_wrong',
  'mrz_missing',
  'mrz_not_found',
] as const;
/** What a warning is about: one of `WARNING_CODES`. */
export type WarningCode = (typeof WARNING_CODES)[number];

/** Warnings whose detail names countries, ISO 3166-1 alpha-2: by their rules the number is wrong. */
export const COUNTRY_DETAILS: readonly WarningCode[] = [
  'national_id_does_not_fit',
  'tax_id_does_not_fit',
  'vat_number_does_not_fit',
  'registration_number_does_not_fit',
];

/** A hint for the reviewer. It decides nothing, and subjects and clients never see it. */
export interface ReviewWarning {
  readonly code: WarningCode;
  readonly step: StepKey;
  /** Where in the step's answers, for example `directors.0.dateOfBirth`. */
  readonly path: string;
  /**
   * The conflicting value, as the field at `path` could have it: an earlier name or date, nationalities, the value that was read. A file
   * is named by its kind; see also `COUNTRY_DETAILS`. Several are separated by `, `. Personal data, like the answers.
   */
  readonly detail?: string;
}

export interface WarningContext {
  readonly now: Date;
  /** In full years. */
  readonly minimumAge: number;
  /** Without it, numbers are not checked. */
  readonly numberChecks?: NumberChecks | undefined;
  /** What was read from the files; default nothing. */
  readonly readings?: readonly StoredReading[] | undefined;
}

/** `unknown`: the country has no check digits, or the adapter does not know them. */
export type NumberCheck = 'fits' | 'does_not_fit' | 'unknown';

/** Checks the check digits of national numbers, by country (ISO 3166-1 alpha-2). It does not check that a number exists. */
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
