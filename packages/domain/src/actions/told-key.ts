import { KEY_LIFETIMES_DAYS } from '../access/api-key.ts';
import { PERMISSIONS } from '../access/permission.ts';
import { valueAt } from '../parse.ts';
import { type ToldDetail, toldWord, toldWords } from './told.ts';

/** What a line tells of a key that is asked for. Its name may say anything, and is left out. */
export function toldKey(input: unknown): ToldDetail {
  return {
    permissions: toldWords(PERMISSIONS, valueAt(input, ['permissions'])),
    expiresInDays: toldWord(KEY_LIFETIMES_DAYS, valueAt(input, ['expiresInDays'])),
  };
}
