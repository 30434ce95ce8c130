import type { AuditRecorder } from '../audit/audit-recorder.ts';
import type { EvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { ReadPause } from '../retention/data-state.ts';
import type { ReadAppearances } from '../subscription/manage-appearances.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import { createLinks, type Links } from '../verification/link.ts';
import type { FindWithData, RulesOf } from '../verification/retained.ts';
import { createSubjectLinks } from '../verification/subject-access.ts';
import { createCurrentExport, type MayRelease } from './current-export.ts';
import type { ExportRepository } from './export-repository.ts';
import type { ExportRequest } from './export-request.ts';
import { createManageExports, createRequestExport, type ManageExports } from './manage-exports.ts';
import { createPersonExports, type PersonExports } from './person-exports.ts';
import { createSubjectExports, type SubjectExports } from './subject-exports.ts';

/** The use cases of exports. */
export interface ExportServices {
  readonly management: ManageExports;
  readonly person: PersonExports;
  readonly subject: SubjectExports;
}

/** Reads when the erasure of a verification began, without reading its documents. Null for an unknown verification. */
type FindErased = (
  place: Pick<ExportRequest, 'clientId' | 'verificationId'>,
) => Promise<{ readonly erasedAt: Date | null } | null>;

/** The page of an export's link, and a purpose of its own, so that a link of a verification opens no export. */
const EXPORT_LINK = { page: 'export', purpose: 'export.' };

/** Creates the use cases of exports on their ports. */
export function createExportServices(
  ports: Pick<BasePorts, 'clock' | 'ids' | 'onFault' | 'secrets' | 'verifications'> & {
    readonly exports: ExportRepository;
    readonly appearances: Pick<ReadAppearances, 'shown'>;
    readonly retention: { readonly find: FindErased };
    readonly findWithData: FindWithData;
    readonly rulesOf: RulesOf;
    readonly readPause: ReadPause;
    readonly evidence: Pick<EvidenceKeeper, 'read'>;
    readonly recorder: AuditRecorder;
    readonly mayRelease: MayRelease;
    /** Whether the service erases data at the end of its period. */
    readonly erasesData: boolean;
    /** Links of verifications. */
    readonly links: Links;
  },
  { publicBaseUrl }: { readonly publicBaseUrl: string },
): ExportServices {
  const links = createLinks(ports.secrets, publicBaseUrl, EXPORT_LINK);
  const current = createCurrentExport(ports);
  const request = createRequestExport({ ...ports, current });
  return {
    management: createManageExports({ ...ports, request, current, links }),
    person: createPersonExports({
      ...ports,
      current,
      links,
      verificationLinks: ports.links,
      isErased: async (place) => ((await ports.retention.find(place))?.erasedAt ?? null) !== null,
    }),
    subject: createSubjectExports({ ...ports, request, current, subjectLinks: createSubjectLinks(ports) }),
  };
}
