import { CountersignError } from '../errors.ts';
import { DECLINE_REASONS, type DeclineReason, type ExportRequest } from '../exports/export-request.ts';
import type { ExportList, ExportListRequest, ReleasedExport } from '../exports/manage-exports.ts';
import { type Action, defineAction } from './action.ts';
import { type CallerContext, managedVerification } from './caller.ts';
import { RETENTION_MANAGERS } from './rights.ts';
import { aboutVerification, type OnVerification, verificationField } from './targets.ts';

/** Reads a page of exports: of the caller's client, or for operators of all clients or of one. */
export const listExports: Action<ExportListRequest, ExportList> = defineAction({
  id: 'exports.list',
  needs: ['exports'],
  who: RETENTION_MANAGERS,
  fields: {
    clientId: { kind: 'id', by: 'page', optional: true },
    waiting: { kind: 'flag', optional: true },
    after: { kind: 'id', by: 'page', optional: true },
  },
  audit: { log: 'refusals', client: 'clientId' },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ exports }, { clientId, ...request }, caller) =>
    exports.list({ clientId: clientOf(caller, clientId), ...request }),
});

/** Reads the export of a verification; null without one. */
export const readExport: Action<OnVerification, ExportRequest | null> = defineAction({
  id: 'exports.read',
  needs: ['exports'],
  who: RETENTION_MANAGERS,
  fields: verificationField,
  audit: { ...aboutVerification, log: 'refusals' },
  outcomes: ['VERIFICATION_NOT_FOUND'],
  run: async (services, input, caller) =>
    services.exports.ofVerification(await managedVerification(services, input, caller)),
});

/**
 * Releases a copy of a person's data, and requests it first if there is no request. Link and code are shown once; those of an earlier release
 * end.
 */
export const releaseExport: Action<OnVerification, ReleasedExport> = defineAction({
  id: 'exports.release',
  needs: ['exports'],
  who: RETENTION_MANAGERS,
  reauthenticate: true,
  fields: verificationField,
  audit: aboutVerification,
  outcomes: ['VERIFICATION_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  run: async (services, input, caller) =>
    services.exports.release(await managedVerification(services, input, caller)),
});

/**
 * Declines a subject's request for a copy of their data. The subject sees the reason. Needs no password: it hands out nothing, and a
 * release takes it back.
 */
export const declineExport: Action<OnVerification & { readonly declineReason: DeclineReason }, ExportRequest> =
  defineAction({
    id: 'exports.decline',
    needs: ['exports'],
    who: RETENTION_MANAGERS,
    fields: {
      ...verificationField,
      declineReason: { kind: 'choice', of: DECLINE_REASONS },
    },
    audit: { ...aboutVerification, keep: ['declineReason'] },
    outcomes: ['VERIFICATION_NOT_FOUND', 'ILLEGAL_TRANSITION'],
    run: async (services, { declineReason, ...input }, caller) =>
      services.exports.decline(await managedVerification(services, input, caller), declineReason),
  });

/** Returns the client whose exports are listed; undefined for all. @throws CountersignError `CLIENT_NOT_FOUND` */
function clientOf({ team }: CallerContext, named: string | undefined): string | undefined {
  if (team === null) return named;
  if (named !== undefined && named !== team.clientId) throw new CountersignError('CLIENT_NOT_FOUND');
  return team.clientId;
}
