/** Why the form around an upload is refused, before its file is judged. */
export type FormRefusal =
  /** Nothing was chosen. */
  | 'FILE_MISSING'
  /** More than one file. */
  | 'SEVERAL_FILES'
  /** Not a form that the page sent, or it broke off. */
  | 'UPLOAD_BROKEN';

/** Thrown while an upload is read. Nothing of it is kept. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';
  readonly code: FormRefusal;

  constructor(code: FormRefusal) {
    super(`The form of an upload is refused: ${code}`);
    this.code = code;
  }
}
