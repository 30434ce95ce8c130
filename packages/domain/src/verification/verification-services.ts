import type { IndexLabels } from '../matching/index-labels.ts';
import type { ReadPause, WithPause } from '../retention/data-state.ts';
import type { IndexesFamilyNames, ReadFlowRules } from '../subscription/flow-rules.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { BasePorts } from './base-ports.ts';
import type { ChangeVerification } from './change-verification.ts';
import { type ClaimNext, claimNextUseCase } from './claim-next.ts';
import { type ClientVerifications, createClientVerifications } from './client-verifications.ts';
import { type CompleteVerification, createCompleteVerification } from './complete-verification.ts';
import {
  type CreateVerification,
  createForRequesterUseCase,
  createVerificationUseCase,
} from './create-verification.ts';
import { createExpireVerifications, type ExpireVerifications } from './expire-verifications.ts';
import { createFilesOfClient, type FilesOfClient } from './files-of-client.ts';
import {
  createManageVerification,
  type ManageVerification,
  type WithdrawVerification,
  withdrawVerificationUseCase,
} from './manage-verification.ts';
import { createQueueSubjects, type QueueSubjects } from './queue-subjects.ts';
import { createReadActivity, type ReadActivity } from './read-activity.ts';
import { createReadUsage, type ReadUsage } from './read-usage.ts';
import { createReadVerifications, type ReadVerifications } from './read-verifications.ts';
import type { DocumentReadings } from './readings/document-readings.ts';
import type { FindWithData, RulesOf } from './retained.ts';
import { createReviewQueue, type ReviewQueue } from './review-queue.ts';
import { createReviewVerification, type ReviewVerification } from './review-verification.ts';
import { createSearchCases, type SearchCases } from './search-cases.ts';
import { createReadTeamDay, type ReadTeamDay } from './team-day.ts';
import type { CaseWarnings } from './warnings/case-warnings.ts';
import type { ReadWarnings } from './warnings/read-warnings.ts';

/** The use cases of verifications. */
export interface VerificationServices {
  /** For API keys. */
  readonly api: ReadVerifications & {
    readonly create: CreateVerification;
    readonly withdraw: WithdrawVerification;
  };
  /** For subjects. */
  readonly completion: CompleteVerification;
  /** For a member of a client's team. */
  ofTeam(member: { readonly clientId: string; readonly userId: string }): ClientVerifications;
  readonly files: FilesOfClient;
  readonly management: ManageVerification;
  readonly usage: ReadUsage;
  readonly activity: ReadActivity;
  readonly review: ReviewQueue &
    QueueSubjects &
    ReadTeamDay &
    SearchCases &
    ReviewVerification & { readonly claimNext: ClaimNext };
  readonly expiry: ExpireVerifications;
}

interface VerificationPorts
  extends Pick<
    BasePorts,
    'clients' | 'clock' | 'evidence' | 'flows' | 'ids' | 'links' | 'onFault' | 'secrets' | 'verifications'
  > {
  readonly usage: Pick<ManageClients, 'usage'>;
  readonly change: ChangeVerification;
  readonly documents: DocumentReadings;
  readonly indexLabels: Pick<IndexLabels, 'findMatches'>;
  readonly indexesFamilyNames: IndexesFamilyNames;
  readonly readFlowRules: ReadFlowRules;
  readonly findWithData: FindWithData;
  readonly rulesOf: RulesOf;
  readonly withPause: WithPause;
  readonly readPause: ReadPause;
  readonly readWarnings: ReadWarnings;
  readonly caseWarnings: CaseWarnings;
  readonly hadEndpoint: (clientId: string, at: Date) => Promise<boolean>;
}

/** Creates the use cases of verifications on their ports. */
export function createVerificationServices(
  ports: VerificationPorts,
  settings: {
    readonly linkLifetimeDays: number;
    readonly expireAfterDays: number;
    readonly sendsMail: boolean;
    readonly flowVersion: number | undefined;
  },
): VerificationServices {
  const { day, countsAfter } = createReadTeamDay(ports);
  const createFor = createForRequesterUseCase(ports, settings);
  const reviews = createReviewVerification(ports);
  return {
    api: {
      ...createReadVerifications(ports),
      create: createVerificationUseCase(createFor),
      withdraw: withdrawVerificationUseCase(ports),
    },
    completion: createCompleteVerification(ports),
    ofTeam: (member) => createClientVerifications({ ...ports, createFor }, member),
    files: createFilesOfClient(ports),
    management: createManageVerification(ports),
    usage: createReadUsage({ ...ports, clients: ports.usage }),
    activity: createReadActivity(ports),
    review: {
      ...createReviewQueue(ports),
      ...createQueueSubjects(ports),
      ...createSearchCases(ports),
      day,
      ...reviews,
      approve: countsAfter(reviews.approve),
      reject: countsAfter(reviews.reject),
      claimNext: claimNextUseCase({ ...ports, claim: reviews.claim }),
    },
    expiry: createExpireVerifications(ports, settings),
  };
}
