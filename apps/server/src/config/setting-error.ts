/** A setting that stops the start. The message is one line: which variable, what is wrong, what is expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(variable: string, problem: string, options?: ErrorOptions) {
    super(`${variable} ${problem}`, options);
  }
}
