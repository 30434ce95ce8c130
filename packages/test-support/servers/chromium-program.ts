import { programOnPath } from './program-on-path.ts';

/** Names of the full browser; Debian calls it chromium. */
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium without a user interface: pages load in less processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell';

/**
 * Finds the browser that tests drive; `TEST_CHROMIUM` names another one.
 *
 * @param needs `camera` for the full browser, which has a fake camera; default: the headless shell if it is installed
 * @returns its full path, or undefined if there is none
 */
export function chromiumProgram(needs?: 'camera'): string | undefined {
  const named = process.env.TEST_CHROMIUM;
  if (named !== undefined && named !== '') return named;
  const names = needs === 'camera' ? WHOLE : [HEADLESS_SHELL, ...WHOLE];
  return names.map(programOnPath).find((program) => program !== undefined);
}
