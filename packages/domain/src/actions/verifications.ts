import { READ_FILE_ACTION } from '../audit/audit-entry.ts';
import type { Issue } from '../errors.ts';
import type { FilePart } from '../evidence/evidence-keeper.ts';
import { type ClientExport, EXPORT_VERIFICATION_ACTION } from '../exports/client-exports.ts';
import type { Fields } from '../fields/field.ts';
import type { BrowsePageRequest, BrowseRequest } from '../verification/browse-request.ts';
import type {
  BrowsedPage,
  OpenedVerification,
  VerificationSummary,
} from '../verification/client-verifications.ts';
import { SUBJECT_TYPES, type SubjectType } from '../verification/flow.ts';
import { newVerificationIssues } from '../verification/new-verification.ts';
import { LIST_LIMIT_MAX } from '../verification/read-verifications.ts';
import { STATUSES } from '../verification/status.ts';
import type { CreatedVerification, VerificationView } from '../verification/views.ts';
import { type Action, defineAction } from './action.ts';
import { managedVerification, teamOf } from './caller.ts';
import { hasRight, type Who } from './rights.ts';
import {
  aboutVerification,
  fileRead,
  type OnFile,
  type OnVerification,
  partOf,
  verificationField,
} from './targets.ts';

const VERIFICATION_MANAGERS: readonly Who[] = [{ right: 'manage_verifications' }];

const filterFields: Fields<BrowseRequest> = {
  status: { kind: 'choice', of: STATUSES, optional: true },
  type: { kind: 'choice', of: SUBJECT_TYPES, optional: true },
  search: { kind: 'id', optional: true },
  fromDay: { kind: 'date', optional: true },
  untilDay: { kind: 'date', optional: true },
};

/** Reads a page of the client's verifications, newest first, without submitted data. */
export const listVerifications: Action<BrowsePageRequest, BrowsedPage> = defineAction({
  id: 'verifications.list',
  who: ['team'],
  fields: {
    ...filterFields,
    after: { kind: 'id', by: 'page', optional: true },
    limit: { kind: 'number', integer: true, min: 1, max: LIST_LIMIT_MAX, by: 'page', optional: true },
  },
  audit: { log: 'refusals' },
  run: ({ verificationsOf }, input, caller) => verificationsOf(teamOf(caller)).browse(input),
});

/**
 * Reads one verification of the client. `submittedData` and `documents` are null without the right `read_submitted_data`,
 * `verificationUrl` without `manage_verifications`, the reason of a hold without `manage_retention`. Reading submitted data is recorded.
 */
export const readVerification: Action<OnVerification, OpenedVerification> = defineAction({
  id: 'verifications.read',
  who: ['team'],
  fields: verificationField,
  audit: {
    log: (caller) => (hasRight(caller, 'read_submitted_data') ? 'always' : 'refusals'),
    ...aboutVerification,
  },
  outcomes: ['VERIFICATION_NOT_FOUND'],
  run: ({ verificationsOf }, { verificationId }, caller) =>
    verificationsOf(teamOf(caller)).open(verificationId, {
      withSubmittedData: hasRight(caller, 'read_submitted_data'),
      withLink: hasRight(caller, 'manage_verifications'),
      withHold: hasRight(caller, 'manage_retention'),
    }),
});

/**
 * Reads a file of a verification of the client, one of its drawn pages or its thumbnail, if an owner switched access to files on. Hidden data is read only
 * by an owner who opened it with a reason in the last 15 minutes.
 */
export const readVerificationFile: Action<OnFile, FilePart> = defineAction({
  id: READ_FILE_ACTION,
  who: [{ right: 'read_submitted_data' }],
  ...fileRead,
  outcomes: ['VERIFICATION_NOT_FOUND', 'FILES_SWITCHED_OFF', 'ILLEGAL_TRANSITION', 'FILE_NOT_FOUND'],
  run({ files }, input, caller) {
    const { clientId, userId } = teamOf(caller);
    const openedBy = hasRight(caller, 'manage_retention') ? userId : undefined;
    return files.read({ ...input, clientId, openedBy, part: partOf(input) });
  },
});

/** Exports a verification of the client with its files, if an owner switched access to files on. */
export const exportVerificationData: Action<OnVerification, ClientExport> = defineAction({
  id: EXPORT_VERIFICATION_ACTION,
  who: [{ right: 'read_submitted_data' }],
  fields: verificationField,
  audit: aboutVerification,
  outcomes: ['VERIFICATION_NOT_FOUND', 'FILES_SWITCHED_OFF', 'ILLEGAL_TRANSITION'],
  run: ({ clientExports }, { verificationId }, caller) =>
    clientExports.open({ verificationId, clientId: teamOf(caller).clientId }),
});

/** Input of a creation by hand. */
export interface CreateVerificationInput {
  readonly subjectType: SubjectType;
  /** Kept as sent, like the API's. */
  readonly subjectReference: string;
  /** A JSON object as text. */
  readonly metadata?: string | undefined;
  /** Where the subject receives mails. Refused by a service that sends none. */
  readonly email?: string | undefined;
  /** Random text of the form, so that a form sent twice creates one verification. */
  readonly idempotencyKey?: string | undefined;
}

const METADATA_TEXT_MAX = 65_536;

/** Creates a verification as the API does, and counts it like one. */
export const createVerification: Action<CreateVerificationInput, CreatedVerification> = defineAction({
  id: 'verifications.create',
  who: VERIFICATION_MANAGERS,
  fields: {
    subjectType: { kind: 'choice', of: SUBJECT_TYPES },
    subjectReference: { kind: 'id' },
    metadata: { kind: 'text', shape: 'paragraph', max: METADATA_TEXT_MAX, optional: true },
    email: { kind: 'email', optional: true },
    idempotencyKey: { kind: 'id', by: 'page', optional: true },
  },
  check: creationIssues,
  audit: { keep: ['subjectType'], made: ({ id }) => ({ targetId: id }) },
  outcomes: [
    'MISSING_SUBJECT_REFERENCE',
    'NO_ACTIVE_SUBSCRIPTION',
    'DUPLICATE_SUBJECT_REFERENCE',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  run: async ({ verificationsOf }, { subjectType, subjectReference, metadata, email, idempotencyKey }, caller) => {
    const body = {
      subjectType,
      subjectReference,
      // `check` has accepted it.
      ...(metadata !== undefined && { metadata: JSON.parse(metadata) as unknown }),
      ...(email !== undefined && { notify: { email } }),
    };
    return verificationsOf(teamOf(caller)).create(body, { idempotencyKey });
  },
});

/** Applies the rules of a creation to a form, so that all of its issues are reported together. */
function creationIssues(input: unknown): readonly Issue[] {
  const { subjectType, subjectReference, metadata } = (input ?? {}) as Partial<CreateVerificationInput>;
  const body = { subjectType, subjectReference };
  if (typeof metadata !== 'string') return newVerificationIssues(body);
  try {
    return newVerificationIssues({ ...body, metadata: JSON.parse(metadata) as unknown });
  } catch {
    return [...newVerificationIssues(body), NOT_JSON];
  }
}

const NOT_JSON: Issue = { path: 'metadata', message: 'must be a JSON object', code: 'invalid' };

/** Exports all matching verifications, newest first, page by page. `totalCount` is their number at the start. */
export const exportVerifications: Action<
  BrowseRequest,
  { readonly totalCount: number; readonly rows: AsyncIterable<VerificationSummary> }
> = defineAction({
  id: 'verifications.export',
  who: [{ right: 'export' }],
  fields: filterFields,
  audit: { keep: ['status', 'type', 'fromDay', 'untilDay'] },
  run: ({ verificationsOf }, input, caller) => verificationsOf(teamOf(caller)).export(input),
});

/** Withdraws a verification before it is decided: it becomes rejected with the reason `withdrawn`. */
export const withdrawVerification: Action<OnVerification, VerificationView> = defineAction({
  id: 'verifications.withdraw',
  who: [...VERIFICATION_MANAGERS, 'operator', 'command_line'],
  fields: verificationField,
  audit: aboutVerification,
  outcomes: ['VERIFICATION_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  run: async (services, input, caller) =>
    services.management.withdraw(await managedVerification(services, input, caller)),
});

/** Gives the subject a new link; the previous one stops working immediately. */
export const renewVerificationLink: Action<OnVerification, VerificationView> = defineAction({
  id: 'verifications.renew_link',
  who: [...VERIFICATION_MANAGERS, 'operator', 'command_line'],
  fields: verificationField,
  audit: aboutVerification,
  outcomes: ['VERIFICATION_NOT_FOUND', 'ILLEGAL_TRANSITION', 'EVENT_LIMIT_REACHED', 'TOO_MANY_RENEWALS'],
  run: async (services, input, caller) =>
    services.management.renewLink(await managedVerification(services, input, caller)),
});
