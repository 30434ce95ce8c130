import { z } from 'zod';
import { CountersignError, type ErrorCode, type Issue, invalidParameters } from '../errors.ts';
import type { JsonObject } from '../input/json.ts';
import { issuesOf } from '../input/parse.ts';
import { characterCount, isStorableText } from '../input/text.ts';
import { ERASED_REFERENCE } from '../retention/retention-facts.ts';
import { RETURN_URL_MAX } from '../subscription/return-address.ts';
import { SUBJECT_TYPES, type SubjectType } from './flow.ts';
import { METADATA_MAX_BYTES, METADATA_MAX_DEPTH, metadataIssues, SANDBOX_OUTCOMES } from './metadata.ts';
import { type Notify, notifySchema } from './notify.ts';

/** The body of a creation (interface, POST /verifications). */
export interface NewVerification {
  readonly subjectType: SubjectType;
  /** 1–256 characters, case-sensitive, kept as sent. */
  readonly subjectReference: string;
  readonly metadata: JsonObject;
  /** Where the subject may return to: below one of the client's return addresses (subscription/return-address.ts). */
  readonly returnUrl?: string | undefined;
  /** Language tag of the language in which the pages open. One that the pages do not have counts as none. */
  readonly locale?: string | undefined;
  /** Where the service sends the link and what follows. Refused by a service that sends no mail. */
  readonly notify?: Notify | undefined;
}

/** Longest subject reference, in characters (interface, Creation). */
export const SUBJECT_REFERENCE_MAX = 256;

/** Schema of `subjectReference`, in a creation and as a filter: 1–256 characters, kept as sent. */
export const subjectReferenceSchema: z.ZodType<string> = z
  .string()
  .min(1)
  .refine(
    (text) => characterCount(text) <= SUBJECT_REFERENCE_MAX,
    `must have at most ${SUBJECT_REFERENCE_MAX} characters`,
  )
  .refine(isStorableText, 'must be well-formed text without NUL')
  .meta({ maxLength: SUBJECT_REFERENCE_MAX });

// `metadataIssues` checks that it is an object.
const metadata = (z.unknown() as z.ZodType<JsonObject>)
  .superRefine((value, context) => {
    for (const { path, message } of metadataIssues(value)) {
      context.addIssue({ code: 'custom', message, path: path === '' ? [] : [path] });
    }
  })
  .prefault({})
  .meta({
    type: 'object',
    additionalProperties: true,
    description: `Additional data, at most ${METADATA_MAX_BYTES} bytes and ${METADATA_MAX_DEPTH} levels deep, returned unchanged on every read. In test mode, \`sandboxOutcome\` in it (${SANDBOX_OUTCOMES.join(', ')}) drives the verification there by itself; in live mode it has no effect.`,
  });

/** Longest `locale`, in characters: enough for every language tag of RFC 5646. */
const LOCALE_MAX = 35;

/** The wire's schema of a creation: the HTTP interface describes itself by it. */
export const newVerificationSchema: z.ZodType<NewVerification> = z.strictObject({
  subjectType: z.enum(SUBJECT_TYPES).meta({ description: 'An individual or a business.' }),
  subjectReference: subjectReferenceSchema
    .refine((text) => !text.startsWith(ERASED_REFERENCE), `must not begin with ${ERASED_REFERENCE}`)
    .meta({
      maxLength: SUBJECT_REFERENCE_MAX,
      description: "The client's own unique identifier for the subject, kept as sent.",
    }),
  metadata,
  // `parseReturnUrl` checks it: that needs the client.
  returnUrl: z
    .string()
    .optional()
    .meta({
      maxLength: RETURN_URL_MAX,
      description: `Where the subject may return to: an https address of at most ${RETURN_URL_MAX} characters, below one of the client's return addresses. The last page offers it as a link, with \`verificationId\` and \`status\` added to its query.`,
    }),
  locale: z
    .string()
    .min(1)
    .max(LOCALE_MAX)
    .refine(isStorableText, 'must be well-formed text without NUL')
    .optional()
    .meta({
      description:
        "Language tag (BCP 47) of the language in which the subject's pages open, such as `de` or `de-AT`. With a language that the pages do not have, they open in that of the browser.",
    }),
  notify: notifySchema.optional().meta({
    description:
      'Where the service sends the link, a reminder, requests for action and the result, in the language of `locale`. Stored encrypted, and never returned. Refused if this service sends no e-mail.',
  }),
});

/**
 * Parses the body of a creation. Of several issues, `subjectType` is reported first, then a missing `subjectReference`,
 * then all others.
 * @throws CountersignError `INVALID_SUBJECT_TYPE`, `MISSING_SUBJECT_REFERENCE`, `INVALID_PARAMETERS`
 */
export function parseNewVerification(input: unknown): NewVerification {
  const parsed = newVerificationSchema.safeParse(input);
  if (parsed.success) return parsed.data;

  const issues = issuesOf(parsed.error, input);
  const at = (path: string): Issue[] => issues.filter((issue) => issue.path === path);
  if (at('subjectType').length > 0) {
    throw refused('INVALID_SUBJECT_TYPE', at('subjectType'));
  }
  if (at('subjectReference').length > 0 && isAbsent((input as Partial<NewVerification>).subjectReference)) {
    throw refused('MISSING_SUBJECT_REFERENCE', [{ path: 'subjectReference', message: 'is required' }]);
  }
  throw invalidParameters(issues);
}

/** Lists every issue of a creation's body but a missing `subjectReference`, which has a code of its own. */
export function newVerificationIssues(input: Partial<Record<keyof NewVerification, unknown>>): readonly Issue[] {
  const { error } = newVerificationSchema.safeParse(input);
  const issues = error === undefined ? [] : issuesOf(error, input);
  return issues.filter(({ path }) => path !== 'subjectReference' || !isAbsent(input.subjectReference));
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

function refused(code: ErrorCode, issues: readonly Issue[]): CountersignError {
  return new CountersignError(code, undefined, { data: { issues } });
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** Checks the value of an `Idempotency-Key` header. @throws `INVALID_PARAMETERS` */
export function checkIdempotencyKey(key: string): void {
  if (IDEMPOTENCY_KEY.test(key)) return;
  throw invalidParameters([{ path: 'Idempotency-Key', message: 'must have 1 to 255 printable ASCII characters' }]);
}
