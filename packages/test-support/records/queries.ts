import type { AuditQuery, BrowseQuery, QueueQuery, VerificationQuery } from '@countersign/domain/storage';

/** The first page of all verifications of a client, the newest first. */
export const LIST: VerificationQuery = {
  status: undefined,
  type: undefined,
  subjectReference: undefined,
  sortBy: 'requestedAt',
  sortOrder: 'desc',
  offset: 0,
  limit: 20,
};

/** The first page of the pending verifications of all clients. */
export const QUEUE: QueueQuery = {
  status: 'pending',
  type: undefined,
  clientId: undefined,
  claimedBy: undefined,
  liveOnly: false,
  after: undefined,
  limit: 20,
  countUpTo: 1_000,
};

/** The first page of browsing all verifications of a client. */
export const BROWSE: BrowseQuery = {
  status: undefined,
  type: undefined,
  subjectReferencePrefix: undefined,
  requestedFrom: undefined,
  requestedUntil: undefined,
  after: undefined,
  limit: 20,
};

/** The newest entries of the audit log. */
export const AUDIT: AuditQuery = {
  actorId: undefined,
  clientId: undefined,
  action: undefined,
  outcome: undefined,
  appendedFrom: undefined,
  appendedUntil: undefined,
  before: undefined,
  limit: 20,
};
