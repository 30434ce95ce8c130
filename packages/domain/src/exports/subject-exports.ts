import type { Runtime } from '../runtime.ts';
import type { SubjectAccess, SubjectLinks } from '../verification/subject-access.ts';
import type { CurrentExport } from './current-export.ts';
import type { ExportRepository } from './export-repository.ts';
import {
  askAgainFrom,
  type DeclineReason,
  type ExportRequest,
  type ExportRequester,
  type ExportState,
  exportStateOf,
} from './export-request.ts';
import type { RequestExport } from './manage-exports.ts';

/** An export as its subject sees it. The link and the code come from the client. */
export interface SubjectExport {
  readonly state: ExportState;
  readonly requestedAt: Date;
  /** Who asked for it: a release that staff make without a request asks first. */
  readonly requestedBy: ExportRequester;
  /** When the release ends; null before it. */
  readonly expiresAt: Date | null;
  /** When and why the request was declined, and from when the subject can ask again; null if it was not. */
  readonly declined: { readonly at: Date; readonly reason: DeclineReason; readonly askAgainFrom: Date } | null;
}

/** The subject's operations on the export of their data. @throws CountersignError `LINK_INVALID`, `LINK_EXPIRED` */
export interface SubjectExports {
  /**
   * Asks for a copy of the data. A request that has not ended stays as it is, also one that was declined a short time ago. An owner of the team or an operator releases it: a link
   * alone gives no data.
   * @throws CountersignError `ILLEGAL_TRANSITION` if the data is erased
   */
  requestExport(access: SubjectAccess): Promise<SubjectExport>;
  /** Returns the export of the verification; null without one. */
  exportOf(access: SubjectAccess): Promise<SubjectExport | null>;
}

export function createSubjectExports(
  ports: Pick<Runtime, 'clock' | 'ids'> & {
    exports: Pick<ExportRepository, 'ofVerification'>;
    request: RequestExport;
    current: CurrentExport;
    subjectLinks: Pick<SubjectLinks, 'forReading'>;
  },
): SubjectExports {
  const { exports, request, current, subjectLinks, clock, ids } = ports;

  const shown = (one: ExportRequest): SubjectExport => {
    const { requestedAt, requestedBy, expiresAt, declinedAt: at, declineReason: reason } = one;
    const declined = at === null || reason === null ? null : { at, reason, askAgainFrom: askAgainFrom(at) };
    return { state: exportStateOf(one, clock.now()), requestedAt, requestedBy, expiresAt, declined };
  };

  return {
    async requestExport(access) {
      const { clientId, id: verificationId } = await subjectLinks.forReading(access);
      const place = { clientId, verificationId };
      return shown(await request({ id: ids.next(), ...place, requestedAt: clock.now(), requestedBy: 'subject' }));
    },

    async exportOf(access) {
      const { clientId, id: verificationId } = await subjectLinks.forReading(access);
      const stored = await exports.ofVerification({ clientId, verificationId });
      return stored && shown(await current(stored));
    },
  };
}
