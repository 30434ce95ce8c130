import { LIMITS } from '@countersign/domain';
import { figure, percentInWords } from './formats.ts';
import type { Language } from './language.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE * KIBIBYTE;
const MEGAPIXEL = 1_000_000;

type LimitName =
  | 'fileSize'
  | 'files'
  | 'megapixels'
  | 'ownerShare'
  | 'allShares'
  | 'wholePercent'
  | 'leiCharacters'
  | 'nameCharacters'
  | 'referenceCharacters'
  | 'messageCharacters'
  | 'metadataSize'
  | 'metadataLevels'
  | 'activeKeys';

/** Writes the bounds of the domain in the reader's language. Every text can name them: `{{limits.fileSize}}`. */
export function limitsInWords(language: Language): Readonly<Record<LimitName, string>> {
  const number = (value: number): string => figure(value, language);
  return {
    fileSize: `${number(LIMITS.fileBytes / MEBIBYTE)} MB`,
    files: number(LIMITS.files),
    megapixels: number(LIMITS.picturePixels / MEGAPIXEL),
    ownerShare: percentInWords(LIMITS.ownerSharePercent, language),
    allShares: percentInWords(LIMITS.wholePercent, language),
    wholePercent: number(LIMITS.wholePercent),
    leiCharacters: number(LIMITS.leiCharacters),
    nameCharacters: number(LIMITS.nameCharacters),
    referenceCharacters: number(LIMITS.referenceCharacters),
    messageCharacters: number(LIMITS.messageCharacters),
    metadataSize: `${number(LIMITS.metadataBytes / KIBIBYTE)} KiB`,
    metadataLevels: number(LIMITS.metadataLevels),
    activeKeys: number(LIMITS.activeKeys),
  };
}
