import {
  DELIVERIES_KEPT_DAYS,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_MAX_FILES,
  EXPORT_DECLINED_MS,
  EXPORT_DOWNLOADS,
  EXPORT_LIFETIME_MS,
  LEI_LENGTH,
  LOGO_MAX_HEIGHT,
  LOGO_MAX_WIDTH,
  MAX_ACTIVE_KEYS,
  MAX_REPLACED_SECRETS,
  MESSAGE_MAX,
  METADATA_MAX_BYTES,
  METADATA_MAX_DEPTH,
  OWNER_SHARE_PERCENT,
  PICTURE_MAX_PIXELS,
  RETURN_ADDRESSES_MAX,
  SECRET_OVERLAP_HOURS,
  SUBJECT_REFERENCE_MAX,
  UPLOADS_AT_ONCE,
  USER_NAME_MAX,
  WHOLE_PERCENT,
} from '@countersign/domain';
import { figure, KIBIBYTE, percentInWords, sizeInWords } from './formats.ts';
import type { Language } from './language.ts';

const MEGAPIXEL = 1_000_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the bounds of the domain in words. Every text can use them: `{{limits.fileSize}}`. */
export function limitsInWords(language: Language): Readonly<Record<string, string>> {
  const number = (value: number): string => figure(value, language);
  return {
    fileSize: sizeInWords(EVIDENCE_MAX_BYTES, language),
    files: number(EVIDENCE_MAX_FILES),
    logoSize: `${number(LOGO_MAX_WIDTH)} × ${number(LOGO_MAX_HEIGHT)}`,
    uploadsAtOnce: number(UPLOADS_AT_ONCE),
    megapixels: number(PICTURE_MAX_PIXELS / MEGAPIXEL),
    ownerShare: percentInWords(OWNER_SHARE_PERCENT, language),
    allShares: percentInWords(WHOLE_PERCENT, language),
    wholePercent: number(WHOLE_PERCENT),
    leiCharacters: number(LEI_LENGTH),
    nameCharacters: number(USER_NAME_MAX),
    referenceCharacters: number(SUBJECT_REFERENCE_MAX),
    messageCharacters: number(MESSAGE_MAX),
    metadataSize: `${number(METADATA_MAX_BYTES / KIBIBYTE)} KiB`,
    metadataLevels: number(METADATA_MAX_DEPTH),
    returnAddresses: number(RETURN_ADDRESSES_MAX),
    activeKeys: number(MAX_ACTIVE_KEYS),
    secretOverlapHours: number(SECRET_OVERLAP_HOURS),
    replacedSecrets: number(MAX_REPLACED_SECRETS),
    exportHours: number(EXPORT_LIFETIME_MS / HOUR_MS),
    exportDownloads: number(EXPORT_DOWNLOADS),
    exportDeclinedDays: number(EXPORT_DECLINED_MS / DAY_MS),
    deliveriesKeptDays: number(DELIVERIES_KEPT_DAYS),
  };
}
