import type { BrowseQuery, QueueQuery, VerificationQuery } from '@countersign/domain/storage';

/** A query for all verifications of a client. */
export const LIST: VerificationQuery = {
  status: undefined,
  type: undefined,
  subjectReference: undefined,
  sortBy: 'requestedAt',
  sortOrder: 'asc',
  offset: 0,
  limit: 100,
};

/** A query for the pending verifications of all clients. */
export const QUEUE: QueueQuery = {
  status: 'pending',
  type: undefined,
  clientId: undefined,
  claimedBy: undefined,
  liveOnly: false,
  after: undefined,
  limit: 100,
  countUpTo: 1_000,
};

/** A query for browsing all verifications of a client. */
export const BROWSE: BrowseQuery = {
  status: undefined,
  type: undefined,
  subjectReferencePrefix: undefined,
  requestedFrom: undefined,
  requestedUntil: undefined,
  after: undefined,
  limit: 100,
};
