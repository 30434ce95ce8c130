import {
  HAND_OVER_LIFETIME_MS,
  LINK_RENEWALS_A_DAY,
  MAX_ACTIVE_KEYS,
  MAX_HAND_OVERS,
  MAX_KEY_NETWORKS,
  MESSAGE_MAX,
  METADATA_MAX_BYTES,
  METADATA_MAX_DEPTH,
  SUBJECT_REFERENCE_MAX,
} from '@countersign/domain';
import {
  DUE_HOURS_MAX,
  LINK_DAYS_MAX,
  LOGO_MAX_HEIGHT,
  LOGO_MAX_WIDTH,
  RETURN_ADDRESSES_MAX,
  TEMPLATE_TEXT_MAX_CHARACTERS,
  TEMPLATES_MAX_COUNT,
} from '@countersign/domain/clients';
import {
  EVIDENCE_MAX_BYTES,
  EVIDENCE_MAX_FILES,
  PICTURE_MAX_PIXELS,
  PICTURE_MIN_SIDE,
  UPLOAD_MAX_BYTES,
  UPLOADS_AT_ONCE,
} from '@countersign/domain/evidence';
import { EXPORT_DECLINED_MS, EXPORT_DOWNLOADS, EXPORT_LIFETIME_MS } from '@countersign/domain/exports';
import { LEI_LENGTH, OWNER_SHARE_PERCENT, WHOLE_PERCENT } from '@countersign/domain/flows';
import { INVITATION_RENEWALS_AN_HOUR, USER_NAME_MAX } from '@countersign/domain/staff';
import { DELIVERIES_KEPT_DAYS, MAX_REPLACED_SECRETS, SECRET_OVERLAP_HOURS } from '@countersign/domain/webhooks';
import { figure, KIBIBYTE, percentInWords, sizeInWords } from './formats.ts';
import type { Language } from './language.ts';

const MEGAPIXEL = 1_000_000;
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the bounds of the domain in words. Every text can use them: `{{limits.fileSize}}`. */
export function limitsInWords(language: Language): Readonly<Record<string, string>> {
  const number = (value: number): string => figure(value, language);
  return {
    fileSize: sizeInWords(UPLOAD_MAX_BYTES, language),
    documentSize: sizeInWords(EVIDENCE_MAX_BYTES, language),
    pictureSide: number(PICTURE_MIN_SIDE),
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
    templates: number(TEMPLATES_MAX_COUNT),
    templateCharacters: number(TEMPLATE_TEXT_MAX_CHARACTERS),
    activeKeys: number(MAX_ACTIVE_KEYS),
    keyNetworks: number(MAX_KEY_NETWORKS),
    secretOverlapHours: number(SECRET_OVERLAP_HOURS),
    replacedSecrets: number(MAX_REPLACED_SECRETS),
    handOvers: number(MAX_HAND_OVERS),
    handOverMinutes: number(HAND_OVER_LIFETIME_MS / MINUTE_MS),
    exportHours: number(EXPORT_LIFETIME_MS / HOUR_MS),
    exportDownloads: number(EXPORT_DOWNLOADS),
    exportDeclinedDays: number(EXPORT_DECLINED_MS / DAY_MS),
    linkDays: number(LINK_DAYS_MAX),
    dueHours: number(DUE_HOURS_MAX),
    linkRenewals: number(LINK_RENEWALS_A_DAY),
    invitationRenewals: number(INVITATION_RENEWALS_AN_HOUR),
    deliveriesKeptDays: number(DELIVERIES_KEPT_DAYS),
  };
}
