import { fileURLToPath } from 'node:url';
import { SettingError } from './setting-error.ts';

/**
 * The path of a `file:` address: `file:data/x` and `file:/data/x` hold it as it stands, `file:///data/x` is an URL. What
 * looks like parameters stays in it. Messages name the variable and what was expected, and never quote the value.
 * @throws SettingError
 */
export function pathOfFileUrl(variable: string, url: string, expected: string): string {
  if (!url.startsWith('file://')) return url.slice('file:'.length);
  try {
    const { search, hash } = new URL(url);
    return `${fileURLToPath(url)}${search}${hash}`;
  } catch (error) {
    throw new SettingError(variable, `is no valid file: address of this machine: ${expected}`, { cause: error });
  }
}
