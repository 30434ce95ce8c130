import { type CountersignError, type Issue, isCountersignError } from '@countersign/domain';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Translate } from '../../site/messages.ts';

/** Why a verification was not created, for its form. */
export interface CreateRefusal {
  readonly status: ContentfulStatusCode;
  /** Messages by the name of their field. */
  readonly problems: ReadonlyMap<string, string>;
  /** What stands in the way of any verification, whatever is typed. */
  readonly obstacle: 'no_active_subscription' | 'limit_reached' | 'form_used' | null;
  /** The verification that stands in the way of this one. */
  readonly duplicateId: string | null;
}

const UNPROCESSABLE = 422;
const FORBIDDEN = 403;
const CONFLICT = 409;

/** @returns null for an error that the form has no words for */
export function createRefusalOf(
  error: unknown,
  metadataProblem: string | null,
  t: Translate,
): CreateRefusal | null {
  if (!isCountersignError(error)) return null;
  const none = { problems: new Map<string, string>(), obstacle: null, duplicateId: null };
  switch (error.code) {
    case 'INVALID_SUBJECT_TYPE':
    case 'MISSING_SUBJECT_REFERENCE':
    case 'INVALID_PARAMETERS':
      return { ...none, status: UNPROCESSABLE, problems: problemsOf(error, metadataProblem, t) };
    case 'NO_ACTIVE_SUBSCRIPTION':
      return { ...none, status: FORBIDDEN, obstacle: 'no_active_subscription' };
    case 'LIMIT_EXCEEDED':
      return { ...none, status: FORBIDDEN, obstacle: 'limit_reached' };
    case 'IDEMPOTENCY_KEY_REUSED':
      return { ...none, status: CONFLICT, obstacle: 'form_used' };
    case 'DUPLICATE_SUBJECT_REFERENCE': {
      const problems = new Map([['subjectReference', t('dashboard:verifications.new.duplicate')]]);
      return { ...none, status: CONFLICT, problems, duplicateId: error.data?.verificationId ?? null };
    }
    default:
      return null;
  }
}

/** By field, in the order of the form. The domain names a bad type alone; the page tells at once what else it sees. */
function problemsOf(
  { data }: CountersignError,
  metadataProblem: string | null,
  t: Translate,
): ReadonlyMap<string, string> {
  const found = new Map((data?.issues ?? []).map((issue) => problemOf(issue, t)));
  if (metadataProblem !== null) found.set('metadata', metadataProblem);
  return new Map(FIELDS.flatMap((field) => (found.has(field) ? [[field, found.get(field) ?? '']] : [])));
}

const FIELDS = ['subjectType', 'subjectReference', 'metadata', 'sandboxOutcome'] as const;

function problemOf({ path }: Issue, t: Translate): [field: string, message: string] {
  switch (path) {
    case 'subjectType':
      return ['subjectType', t('dashboard:verifications.new.typeMissing')];
    case 'subjectReference':
      return ['subjectReference', t('dashboard:verifications.new.badReference')];
    case 'metadata':
      return ['metadata', t('dashboard:verifications.new.metadataTooLarge')];
    case 'metadata.sandboxOutcome':
      return ['metadata', t('dashboard:verifications.new.badOutcome')];
    default:
      return [
        'metadata',
        t('dashboard:verifications.new.badMetadataAt', { path: path.replace(/^metadata\./, '') }),
      ];
  }
}
