import type { Countersign, SubjectAccess } from '@countersign/domain';
import { declineExport, releaseExport } from '@countersign/domain/actions';
import type { ReleasedExport } from '@countersign/domain/exports';
import type { Storage } from '@countersign/domain/storage';
import fc from 'fast-check';

/** What the commands need of a service. */
interface Service {
  readonly countersign: Countersign;
  readonly released: Map<string, ReleasedExport>;
}

/** What a sequence does with the export of a verification. */
export interface ExportCommand {
  readonly kind: 'export';
  readonly client: number;
  readonly verification: number;
  /** `enter` and `mistype`: the subject enters the code of the last release, or another one. */
  readonly move: 'request' | 'mistype' | 'release' | 'enter' | 'decline';
}

/** The first verification of the client, so that its export is released, entered and released again. */
const on = (clients: number) => ({ client: fc.nat(clients - 1), verification: fc.constant(0) });
const exportCommands = (clients: number, moves: readonly ExportCommand['move'][]): fc.Arbitrary<ExportCommand> =>
  fc.record(
    { kind: fc.constant('export' as const), ...on(clients), move: fc.constantFrom(...moves) },
    { noNullPrototype: true },
  );

/** Commands whose outcomes, run several times at once, do not depend on which call comes first. */
export const repeatableExportCommands = (clients: number): fc.Arbitrary<ExportCommand> =>
  exportCommands(clients, ['request', 'mistype']);

/** Commands that run alone: codes are random, so only the last release is remembered. */
export const singleExportCommands = (clients: number): fc.Arbitrary<ExportCommand> =>
  exportCommands(clients, ['release', 'release', 'enter', 'enter', 'enter', 'mistype', 'decline']);

/** Runs a command on the export of a verification. */
export async function runOnExport(
  { countersign, released }: Service,
  access: SubjectAccess,
  { move }: ExportCommand,
): Promise<unknown> {
  const { verificationId } = access;
  switch (move) {
    case 'request':
      return countersign.subject.requestExport(access);
    case 'release': {
      const release = await countersign.as({ kind: 'command_line' }).run(releaseExport, { verificationId });
      released.set(verificationId, release);
      return { expiresAt: release.expiresAt };
    }
    case 'decline':
      return countersign
        .as({ kind: 'command_line' })
        .run(declineExport, { verificationId, declineReason: 'identity_unclear' });
    case 'enter':
    case 'mistype': {
      const last = released.get(verificationId);
      if (last === undefined) return 'not released';
      const link = last.link.split('/').at(-1) ?? '';
      const code = move === 'enter' ? last.code : 'wrong';
      return (await countersign.exports.download({ link, code })).data;
    }
    default:
      return move satisfies never;
  }
}

/** Reads the exports of verifications. Their codes are random. */
export async function exportsOf({ exports }: Storage, clientId: string, ids: readonly string[]): Promise<unknown> {
  const all = ids.map((verificationId) => exports.ofVerification({ clientId, verificationId }));
  return (await Promise.all(all)).map((one) => one && { ...one, codeHash: one.codeHash !== null });
}
