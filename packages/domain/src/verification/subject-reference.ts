import { z } from 'zod';
import { characterCount, isStorableText } from '../text.ts';

/** Characters of a subject reference at most (interface, Creation). */
export const SUBJECT_REFERENCE_MAX = 256;

/** A client's own identifier for a subject, in a creation and as a filter alike: 1–256 characters, kept as sent. */
export const subjectReferenceSchema: z.ZodType<string> = z
  .string()
  .min(1)
  .refine(
    (text) => characterCount(text) <= SUBJECT_REFERENCE_MAX,
    `must have at most ${SUBJECT_REFERENCE_MAX} characters`,
  )
  .refine(isStorableText, 'must be well-formed text without NUL')
  .meta({ maxLength: SUBJECT_REFERENCE_MAX });
