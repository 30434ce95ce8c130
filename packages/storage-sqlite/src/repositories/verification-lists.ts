import type { VerificationRepository } from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { listedVerification } from '../rows/rows.ts';
import { createListPages, ENTRIES_AT_ONCE } from './list-pages.ts';
import type { RunLongRead } from './long-read-kinds.ts';
import { createSubjectPages } from './verification-pages.ts';

/** Reads lists. A page of one subject is sorted: a subject has few verifications. A page that takes long is read apart. */
export function createListVerifications(session: Session, runApart: RunLongRead): VerificationRepository['list'] {
  const pageOfSubject = createSubjectPages(session);
  const pages = createListPages(session);
  return async (clientId, query) => {
    if (query.subjectReference !== undefined) return pageOfSubject(query, clientId);
    const { rows, totalCount } =
      (await session.readPage(() => pages.readWithin(clientId, query, ENTRIES_AT_ONCE))) ??
      (await session.readApart(() => runApart('list', clientId, query)));
    return { records: rows.map(listedVerification), totalCount };
  };
}
