import { type Countersign, type HandOver, isCountersignError, type SubjectAccess } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import fc from 'fast-check';

/** What the commands need of a service. */
interface Service {
  readonly countersign: Countersign;
  readonly handedOver: Map<string, HandOver>;
}

/** What a sequence does with the hand-over code of a verification. */
export interface HandOverCommand {
  readonly kind: 'handOver';
  readonly client: number;
  readonly verification: number;
  /** `spend`: another device uses the last code. `guess`: a wrong one. `twice`: a new code is used by two devices, one after the other. */
  readonly move: 'issue' | 'spend' | 'guess' | 'twice';
}

/** Commands that run alone: codes are random, so only the last one is remembered. */
export const handOverCommands = (clients: number): fc.Arbitrary<HandOverCommand> =>
  fc.record(
    {
      kind: fc.constant('handOver' as const),
      client: fc.nat(clients - 1),
      verification: fc.constant(0),
      move: fc.constantFrom('issue', 'issue', 'spend', 'spend', 'twice', 'twice', 'guess'),
    },
    { noNullPrototype: true },
  );

/** Runs a command on the hand-over code of a verification. */
export async function runOnHandOver(
  { countersign: { subject }, handedOver }: Service,
  access: SubjectAccess,
  { move }: HandOverCommand,
): Promise<unknown> {
  const { verificationId } = access;
  const issue = async () => {
    const issued = await subject.issueHandOver(access);
    handedOver.set(verificationId, issued);
    return { expiresAt: issued.expiresAt, end: issued.end };
  };
  const spend = async (change: (code: string) => string = (code) => code) => {
    const last = handedOver.get(verificationId);
    if (last === undefined) return 'not issued';
    return (await subject.spendHandOver({ verificationId, code: change(last.code) })).access;
  };
  switch (move) {
    case 'issue':
      return issue();
    case 'spend':
      return spend();
    case 'guess':
      return spend((code) => '0'.repeat(code.length));
    case 'twice':
      return [await issue(), await spend(), await spend().catch(codeOf)];
    default:
      return move satisfies never;
  }
}

/** Returns the code of a refusal. Rethrows a fault. */
function codeOf(error: unknown): string {
  if (isCountersignError(error)) return error.code;
  throw error;
}

/** Reads the codes of verifications. They are random. */
export async function handOversOf(
  { handOvers }: Storage,
  clientId: string,
  ids: readonly string[],
): Promise<unknown> {
  return Promise.all(ids.map((verificationId) => handOvers.find({ clientId, verificationId })));
}
