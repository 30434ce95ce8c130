import { programOnPath } from './program-on-path.ts';

/** The browser that tests drive: Debian calls it chromium, others by other names. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Its full path, or undefined where there is none. */
export function chromiumProgram(): string | undefined {
  const named = process.env.TEST_CHROMIUM;
  if (named !== undefined && named !== '') return named;
  return NAMES.map(programOnPath).find((program) => program !== undefined);
}
