import type { ManagedVerification, ManageVerification } from '../verification/manage-verification.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { AdministerVerifications } from './administration.ts';

/** Verifications of all clients for an operator. Whether they may, and that they did, is looked after in actions/. */
export function createAdministerVerifications(
  ports: { verifications: Pick<VerificationRepository, 'findForAnyClient'>; management: ManageVerification },
  /** Null at the command line. */
  operatorId: string | null,
): AdministerVerifications {
  const { verifications, management } = ports;

  async function managed(verificationId: string): Promise<ManagedVerification> {
    const found = await verifications.findForAnyClient(verificationId);
    if (found === null) throw unknownVerification();
    return { clientId: found.clientId, verificationId, actor: { kind: 'operator', id: operatorId } };
  }

  return {
    withdraw: async (verificationId) => management.withdraw(await managed(verificationId)),
    renewLink: async (verificationId) => management.renewLink(await managed(verificationId)),
  };
}
