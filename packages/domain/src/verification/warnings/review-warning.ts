import type { StoredReading } from '../../reading/stored-reading.ts';
import type { StepKey } from '../flow.ts';
import type { Status } from '../status.ts';
import type { Verification } from '../verification.ts';

/**
 * How much a warning asks of the reviewer. `info`: to be known, as lawful cases have it too. `warning`: to be checked before an approval.
 * `critical`: to be checked, because what is seen here was rejected as fraud before.
 */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
/** How much a warning asks of the reviewer: one of `SEVERITIES`, the least first. */
export type Severity = (typeof SEVERITIES)[number];

/** Severities of warnings that a reviewer checks before an approval. */
export const SEVERITIES_TO_CHECK: readonly Severity[] = ['warning', 'critical'];

/** Whether a reviewer checks warnings of this severity before an approval. */
export function hasToBeChecked(severity: Severity | null): boolean {
  return severity !== null && SEVERITIES_TO_CHECK.includes(severity);
}

/** What is the same for all warnings with one code. */
export interface WarningKind {
  readonly severity: Severity;
  /** The detail names countries, ISO 3166-1 alpha-2, whose rules or calling codes the number does not fit. */
  readonly namesCountries?: true;
}

const WARNINGS = {
  under_age: { severity: 'warning' },
  date_too_early: { severity: 'warning' },
  document_expired: { severity: 'warning' },
  name_mismatch: { severity: 'warning' },
  date_mismatch: { severity: 'warning' },
  country_mismatch: { severity: 'warning' },
  phone_country_differs: { severity: 'info', namesCountries: true },
  national_id_does_not_fit: { severity: 'warning', namesCountries: true },
  tax_id_does_not_fit: { severity: 'warning', namesCountries: true },
  vat_number_does_not_fit: { severity: 'warning', namesCountries: true },
  registration_number_does_not_fit: { severity: 'warning', namesCountries: true },
  lei_does_not_fit: { severity: 'warning' },
  picture_blurred: { severity: 'warning' },
  picture_glare: { severity: 'warning' },
  pdf_script: { severity: 'warning' },
  pdf_attachment: { severity: 'warning' },
  pdf_form: { severity: 'warning' },
  pdf_launch: { severity: 'warning' },
  pdf_pages_left_out: { severity: 'info' },
  same_file: { severity: 'warning' },
  same_picture: { severity: 'warning' },
  file_unchanged: { severity: 'warning' },
  reading_edited: { severity: 'warning' },
  reading_differs: { severity: 'warning' },
  reading_expired: { severity: 'warning' },
  reading_type_differs: { severity: 'warning' },
  reading_state_differs: { severity: 'warning' },
  readings_contradict: { severity: 'warning' },
  check_digits_wrong: { severity: 'warning' },
  mrz_missing: { severity: 'warning' },
  mrz_not_found: { severity: 'info' },
  rejected_for_fraud: { severity: 'critical' },
  used_by_another_person: { severity: 'warning' },
  person_with_another_document: { severity: 'warning' },
  file_in_other_case: { severity: 'warning' },
  file_in_earlier_case: { severity: 'info' },
  person_in_other_case: { severity: 'info' },
  contact_in_other_case: { severity: 'info' },
  earlier_verification: { severity: 'info' },
} as const;

/** What a warning is about. */
export type WarningCode = keyof typeof WARNINGS;

/** The codes of all warnings. */
export const WARNING_CODES: readonly string[] = Object.keys(WARNINGS);

/** Returns what is the same for all warnings with this code. */
export function kindOfWarning(code: WarningCode): WarningKind {
  return WARNINGS[code];
}

/** A hint for the reviewer. It decides nothing. Subjects never see it, and clients its code at most (`warningsInDetails`). */
export interface ReviewWarning {
  readonly code: WarningCode;
  readonly step: StepKey;
  /** Where in the step's answers, for example `directors.0.dateOfBirth`. */
  readonly path: string;
  /**
   * The conflicting value, as the field at `path` could have it: an earlier name or date, nationalities, the value that was read. A file
   * is named by its kind; see also `kindOfWarning`. Several are separated by `, `. Personal data, like the answers.
   */
  readonly detail?: string;
  /** The cases of the same client with which it was compared, the newest first; absent if it is about this case alone. */
  readonly others?: readonly OtherCase[];
}

/** Another case of the same client, and what became of it. */
export interface OtherCase {
  readonly verificationId: string;
  readonly status: Status;
}

/** Names a warning among those of its verification: `document_expired:document.expiresOn`. Contains no answers. */
export function warningKey({ code, step, path }: Readonly<Record<'code' | 'step' | 'path', string>>): string {
  return `${code}:${path === '' ? step : `${step}.${path}`}`;
}

export interface WarningContext {
  readonly now: Date;
  /** In full years. */
  readonly minimumAge: number;
  /** Without it, numbers are not checked. */
  readonly numberChecks?: NumberChecks | undefined;
  /** What was read from the files; default nothing. */
  readonly readings?: readonly StoredReading[] | undefined;
  /** Other cases of the client that share a term of its index or the reference, with their data; default none. */
  readonly others?: readonly Verification[] | undefined;
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
