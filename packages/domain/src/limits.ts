import { MAX_ACTIVE_KEYS } from './access/api-key.ts';
import { EVIDENCE_MAX_BYTES, EVIDENCE_MAX_FILES, PICTURE_MAX_PIXELS } from './evidence/evidence-file.ts';
import { USER_NAME_MAX } from './staff/new-user.ts';
import { METADATA_MAX_BYTES, METADATA_MAX_DEPTH } from './verification/metadata.ts';
import { MESSAGE_MAX } from './verification/review.ts';
import { LEI_LENGTH } from './verification/steps/lei.ts';
import { OWNER_SHARE_PERCENT, WHOLE_PERCENT } from './verification/steps/ownership.ts';
import { SUBJECT_REFERENCE_MAX } from './verification/subject-reference.ts';

/** Bounds that people are told. */
export interface Limits {
  /** Size of a file, in bytes. */
  readonly fileBytes: number;
  /** Files of a verification. */
  readonly files: number;
  readonly picturePixels: number;
  /** Share above which a person counts as an owner. */
  readonly ownerSharePercent: number;
  /** All shares together. */
  readonly wholePercent: number;
  readonly leiCharacters: number;
  /** Characters of a user's name. */
  readonly nameCharacters: number;
  readonly referenceCharacters: number;
  /** Characters of a reviewer's message or note. */
  readonly messageCharacters: number;
  readonly metadataBytes: number;
  readonly metadataLevels: number;
  /** Active keys of a client. */
  readonly activeKeys: number;
}

/** Gathers bounds from the files whose rules they belong to. Texts take them from here instead of repeating them. */
export const LIMITS: Limits = {
  fileBytes: EVIDENCE_MAX_BYTES,
  files: EVIDENCE_MAX_FILES,
  picturePixels: PICTURE_MAX_PIXELS,
  ownerSharePercent: OWNER_SHARE_PERCENT,
  wholePercent: WHOLE_PERCENT,
  leiCharacters: LEI_LENGTH,
  nameCharacters: USER_NAME_MAX,
  referenceCharacters: SUBJECT_REFERENCE_MAX,
  messageCharacters: MESSAGE_MAX,
  metadataBytes: METADATA_MAX_BYTES,
  metadataLevels: METADATA_MAX_DEPTH,
  activeKeys: MAX_ACTIVE_KEYS,
};
