import type { AuditRecorder } from '../audit/audit-recorder.ts';
import type { ExportRepository } from '../exports/export-repository.ts';
import type { WithPause } from '../retention/data-state.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import type { ChangeVerification } from '../verification/change-verification.ts';
import type { Actor } from '../verification/events.ts';
import type { HandOverRepository } from '../verification/hand-over-repository.ts';
import { withdrawOnce } from '../verification/manage-verification.ts';
import type { OpenRestrictedVerification } from '../verification/open-restricted.ts';
import type { RulesOf } from '../verification/retained.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { type AppliedErasureLog, createApplyErasureLog } from './apply-log.ts';
import { type ClientData, createClientData } from './client-data.ts';
import { createDropUploads } from './drop-uploads.ts';
import { createEndRelationship } from './end-relationship.ts';
import { createEraseVerification, type EraseVerification } from './erase-verification.ts';
import { createIdentifiedLog } from './identify-log.ts';
import { countMissingInLog, createCheckErasureLog } from './log-gaps.ts';
import { createManageRetention, type ManageRetention } from './manage-retention.ts';
import { createChangeRetained } from './moves.ts';
import { createRemoveData, type ErasurePorts } from './remove-data.ts';
import type { RetentionSettings } from './retained-rules.ts';
import { createRetentionJob, type RetentionJob } from './retention-job.ts';
import { createRetentionReports, type RetentionReports } from './retention-report.ts';
import type { VerificationPlace } from './retention-repository.ts';

/** The use cases of retention. */
export interface RetentionServices {
  /** For API keys. */
  readonly clientData: ClientData;
  /** For owners and operators. */
  readonly management: ManageRetention & RetentionReports;
  readonly job: RetentionJob & {
    /** Applies every entry of the erasure log. */
    applyErasureLog(): Promise<AppliedErasureLog>;
    /** Counts the erasures of the database that the erasure log lacks; 0 without a log. Cheap enough for each minute. */
    countMissingInLog(): Promise<number>;
  };
}

/** Creates the use cases of retention on their ports, so that all of them share one removal of data. */
export function createRetentionServices(
  ports: ErasurePorts &
    Pick<BasePorts, 'flows' | 'onFault'> & {
      readonly verifications: Pick<VerificationRepository, 'find'>;
      readonly clients: Pick<ClientRepository, 'find'>;
      readonly change: ChangeVerification;
      readonly openRestricted: OpenRestrictedVerification;
      readonly recorder: Pick<AuditRecorder, 'act' | 'notDone'>;
      readonly rulesOf: RulesOf;
      readonly withPause: WithPause;
      readonly exports: Pick<ExportRepository, 'forget'>;
      readonly handOvers: Pick<HandOverRepository, 'forget'>;
    },
  settings: RetentionSettings,
): RetentionServices {
  const { verifications, change } = ports;
  const withdraw = ({ clientId, verificationId }: VerificationPlace, actor: Actor) =>
    change({ find: () => verifications.find(clientId, verificationId), actor, decide: withdrawOnce });
  const log = ports.log && createIdentifiedLog(ports.retention, ports.log, ports.ids);
  const removeData = createRemoveData({ ...ports, log });
  const checkLog = createCheckErasureLog({ ...ports, log });
  const eraser = createEraseVerification({ ...ports, checkLog, removeData, withdraw });
  const { erase, request, resume }: EraseVerification = eraser;
  const applyLog = createApplyErasureLog({ ...ports, log, removeData, resume });
  const changeRetained = createChangeRetained(ports);
  const endRelationship = createEndRelationship({ ...ports, change: changeRetained });
  return {
    clientData: createClientData({ ...ports, endRelationship, request }),
    management: {
      ...createManageRetention({ ...ports, changeRetained, endRelationship, request }, settings),
      ...createRetentionReports(ports),
    },
    job: {
      ...createRetentionJob({
        ...ports,
        settings,
        applyLog,
        erase,
        dropUploads: createDropUploads(ports),
      }),
      applyErasureLog: () => applyLog('all'),
      countMissingInLog: async () => (log === undefined ? 0 : countMissingInLog(ports.retention, log)),
    },
  };
}
