const TEXTS = {
  ENTRY_MISSING: 'is missing',
  ENTRY_DAMAGED: 'is damaged',
  ENTRY_FOREIGN: 'is a copy of another entry',
} as const;

/** Reported when an entry of the erasure log cannot be trusted. Names its file, which contains nothing but a number. */
export class ErasureLogFault extends Error {
  override readonly name = 'ErasureLogFault';
  readonly code: keyof typeof TEXTS;

  /** @param file path of the entry in the folder of the log */
  constructor(code: keyof typeof TEXTS, file: string, options?: ErrorOptions) {
    super(`Entry ${file} of the erasure log ${TEXTS[code]}: restore it from a copy of the log`, options);
    this.code = code;
  }
}
