const TEXTS = {
  ENTRY_MISSING: 'is missing: restore it from a copy of the log',
  ENTRY_DAMAGED: 'is damaged: restore it from a copy of the log',
  ENTRY_FOREIGN: 'is a copy of another entry: restore it from a copy of the log',
  MARKER_DAMAGED: 'with its id is damaged: restore it from a copy of the log',
  ENTRY_OTHER: 'names another erasure than the database: this is not the log of the database',
} as const;

/** Reported when a file of the erasure log cannot be trusted. Names its file, which contains nothing but a number or the id of the log. */
export class ErasureLogFault extends Error {
  override readonly name = 'ErasureLogFault';
  readonly code: keyof typeof TEXTS;

  /** @param file path of the entry in the folder of the log */
  constructor(code: keyof typeof TEXTS, file: string, options?: ErrorOptions) {
    super(`${code === 'MARKER_DAMAGED' ? 'File' : 'Entry'} ${file} of the erasure log ${TEXTS[code]}`, options);
    this.code = code;
  }
}
