import type { Countersign } from '@countersign/domain';
import { type AppliedErasureLog, ErasureLogMismatch } from '@countersign/domain/retention';
import type { Log } from '../logging/log.ts';
import { COMPLETE, mismatchText } from './erasure-log-findings.ts';

/** Why a server does not start: it would serve data that was erased. The message is one line for the operator. */
class ErasureError extends Error {
  override readonly name = 'ErasureError';
}

type Apply = Countersign['retention']['applyErasureLog'];

/**
 * Erases again what the erasure log names and the database still has, such as after a restore. Run before a server listens.
 * @param given.directory the folder of the log
 * @throws ErasureError if the log cannot be read or is not the one of the database, or data is left
 */
export async function applyErasures(
  apply: Apply,
  { log, directory }: { readonly log: Pick<Log, 'event'>; readonly directory: string },
): Promise<void> {
  const { applied, failed } = await orRefuse(apply, directory);
  if (applied > 0) log.event('applied erasures of the erasure log', { count: applied });
  if (failed > 0) {
    throw new ErasureError(
      `${failed} verifications that the erasure log names could not be erased, so nothing is served: see the faults in the server's log`,
    );
  }
}

async function orRefuse(apply: Apply, directory: string): Promise<AppliedErasureLog> {
  try {
    return await apply();
  } catch (error) {
    // Storages and @countersign/evidence word every error for operators.
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof ErasureLogMismatch ? mismatchText(error, directory, COMPLETE) : error.message;
    throw new ErasureError(`The erasure log was not applied, so nothing is served. ${reason}`, {
      cause: error,
    });
  }
}
