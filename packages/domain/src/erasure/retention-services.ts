import type { RulesOf } from '../verification/retained.ts';
import { type ApplyErasureLog, createApplyErasureLog } from './apply-log.ts';
import { createChangeRetained } from './change-retained.ts';
import { type ClientData, createClientData } from './client-data.ts';
import { createEraseVerification, type EraseVerification } from './erase-verification.ts';
import { createRemoveData, type ErasurePorts } from './remove-data.ts';
import type { RetentionSettings } from './retained-rules.ts';
import { createRetentionJob, type RetentionJob } from './retention-job.ts';

/** The use cases of retention. */
export interface RetentionServices {
  readonly clientData: ClientData;
  readonly job: RetentionJob & { readonly applyErasureLog: ApplyErasureLog };
}

/** Creates the use cases of retention on their ports, so that all of them share one removal of data. */
export function createRetentionServices(
  ports: ErasurePorts & {
    readonly rulesOf: RulesOf;
    /** Withdraws an open verification before its erasure. */
    readonly withdraw: Parameters<typeof createEraseVerification>[0]['withdraw'];
    readonly onFault: (fault: unknown) => void;
  },
  settings: RetentionSettings,
): RetentionServices {
  const removeData = createRemoveData(ports);
  const eraser: EraseVerification = createEraseVerification({ ...ports, removeData });
  const applyErasureLog = createApplyErasureLog({ ...ports, removeData });
  return {
    clientData: createClientData({ ...ports, change: createChangeRetained(ports), request: eraser.request }),
    job: {
      ...createRetentionJob({ ...ports, settings, applyLog: applyErasureLog, erase: eraser.erase }),
      applyErasureLog,
    },
  };
}
