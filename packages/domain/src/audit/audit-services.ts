import type { Clock, Secrets } from '../runtime.ts';
import { type AppendFact, createAppendFact } from './append-fact.ts';
import type { AuditLog } from './audit-log.ts';
import { type AuditRecorder, createAuditRecorder } from './audit-recorder.ts';
import { createExportAudit, type ExportAudit } from './export-audit.ts';
import { createRefusalLog, type RefusalLog } from './refusal-log.ts';
import { createVerifyAudit, type VerifyAudit } from './verify-audit.ts';

/** What writes and reads the audit log. */
export interface AuditServices {
  readonly append: AppendFact;
  readonly refusals: RefusalLog;
  readonly recorder: AuditRecorder;
  readonly exportAudit: ExportAudit;
  readonly verifyAudit: VerifyAudit;
}

/** Creates them on their ports, so that all entries continue one chain. */
export function createAuditServices(
  ports: Parameters<typeof createVerifyAudit>[0] & {
    readonly audit: AuditLog;
    readonly secrets: Secrets;
    readonly clock: Clock;
    readonly onFault: (fault: unknown) => void;
  },
): AuditServices {
  const append = createAppendFact(ports);
  const refusals = createRefusalLog({ ...ports, append });
  return {
    append,
    refusals,
    recorder: createAuditRecorder({ ...ports, append, refusals }),
    exportAudit: createExportAudit(ports),
    verifyAudit: createVerifyAudit(ports),
  };
}
