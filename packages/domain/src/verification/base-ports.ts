import type { EvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { Runtime } from '../runtime.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { Flows } from './flow.ts';
import type { Links } from './link.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** What use cases of verifications are built from. Each names what it needs: `Pick<BasePorts, 'flows' | 'clock'>`. */
export interface BasePorts extends Runtime {
  readonly verifications: VerificationRepository;
  readonly clients: ClientRepository;
  readonly flows: Flows;
  readonly links: Links;
  readonly evidence: EvidenceKeeper;
}
