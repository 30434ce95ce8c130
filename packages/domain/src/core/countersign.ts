import { type Authenticate, createAuthenticate } from '../access/authenticate.ts';
import { createKeyNotices } from '../access/key-notices.ts';
import { createManageApiKeys, type ManageApiKeys } from '../access/manage-api-keys.ts';
import { type As, createAs } from '../actions/as.ts';
import type { Caller } from '../actions/caller.ts';
import { EXPORT_MANAGERS, isUserOneOf } from '../actions/rights.ts';
import type { Services } from '../actions/services.ts';
import { createAppendFact } from '../audit/append-fact.ts';
import { createAuditRecorder } from '../audit/audit-recorder.ts';
import { createExportAudit, type ExportAudit } from '../audit/export-audit.ts';
import { createRefusalLog, refusedNetwork } from '../audit/refusal-log.ts';
import { createVerifyAudit, type VerifyAudit } from '../audit/verify-audit.ts';
import type { ClientData } from '../erasure/client-data.ts';
import {
  createReadPause,
  createWithPause,
  DEFAULT_RETENTION_SETTINGS,
  readRules,
} from '../erasure/retained-rules.ts';
import { createRetentionServices, type RetentionServices } from '../erasure/retention-services.ts';
import { createVerifyErasures } from '../erasure/verify-erasures.ts';
import { createEvidenceKeeper } from '../evidence/evidence-keeper.ts';
import { createTidyEvidence, type TidyEvidence } from '../evidence/tidy-evidence.ts';
import { createClientExports } from '../exports/client-exports.ts';
import { type ClientFiles, createClientFiles } from '../exports/client-files.ts';
import type { MayRelease } from '../exports/current-export.ts';
import { createExportServices } from '../exports/export-services.ts';
import type { PersonExports } from '../exports/person-exports.ts';
import type { SubjectExports } from '../exports/subject-exports.ts';
import { DEFAULT_MAIL_LIMITS } from '../mailing/mail-budgets.ts';
import { createMailServices } from '../mailing/mail-services.ts';
import type { SendMails } from '../mailing/send-mails.ts';
import { createRateLimits, DEFAULT_REQUEST_RATES, type RateLimits } from '../rate-limit/rate-limit-policy.ts';
import { createDriveSandbox, type DriveSandbox } from '../sandbox/drive-sandbox.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { Storage } from '../storage.ts';
import { createManageAppearances, type ManageAppearances } from '../subscription/manage-appearances.ts';
import { createManageClients, type ManageClients } from '../subscription/manage-clients.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import { createChangeVerification } from '../verification/change-verification.ts';
import { createClientVerifications } from '../verification/client-verifications.ts';
import { type CompleteVerification, createCompleteVerification } from '../verification/complete-verification.ts';
import {
  type CreateVerification,
  createForRequesterUseCase,
  createVerificationUseCase,
} from '../verification/create-verification.ts';
import {
  createExpireVerifications,
  EXPIRE_AFTER_DAYS,
  type ExpireVerifications,
} from '../verification/expire-verifications.ts';
import { createFilesOfClient } from '../verification/files-of-client.ts';
import { BUILT_IN_FLOWS, checkFlows, type Flows } from '../verification/flow.ts';
import { fromRecord } from '../verification/from-record.ts';
import { createLinks, LINK_LIFETIME_DAYS } from '../verification/link.ts';
import {
  createManageVerification,
  type WithdrawVerification,
  withdrawVerificationUseCase,
} from '../verification/manage-verification.ts';
import { openRestrictedUseCase } from '../verification/open-restricted.ts';
import { createReadUsage } from '../verification/read-usage.ts';
import { createReadVerifications, type ReadVerifications } from '../verification/read-verifications.ts';
import { rememberClients } from '../verification/remember-clients.ts';
import { createFindWithData } from '../verification/retained.ts';
import { createReviewQueue } from '../verification/review-queue.ts';
import { createReviewVerification } from '../verification/review-verification.ts';
import { MINIMUM_AGE } from '../verification/steps/minimum-age.ts';
import { createManageWebhooks } from '../webhooks/manage-webhooks.ts';
import { createWebhookLog } from '../webhooks/webhook-log.ts';
import type { CountersignPorts, CountersignSettings } from './countersign-ports.ts';
import { sealedPorts } from './sealed-ports.ts';

/** The service. Every driver calls it: HTTP, pages, the command line, an adopter's own code. */
export interface Countersign {
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimits;
  /** Operations of the API. */
  readonly verifications: ReadVerifications &
    ClientData &
    ClientFiles & {
      readonly create: CreateVerification;
      readonly withdraw: WithdrawVerification;
    };
  /** Operations of the subject. */
  readonly subject: CompleteVerification & SubjectExports;
  /** Clients as their subjects see them. Changes leave no entry in the audit log; `as` runs the recorded actions. */
  readonly appearances: ManageAppearances;
  /** Downloads of people's data, by a link and a code. */
  readonly exports: PersonExports;
  /** Background job that deletes unused files. */
  readonly evidence: TidyEvidence;
  /** Provisions API keys, without an entry in the audit log. `as({ kind: 'command_line' })` runs the recorded actions. */
  readonly apiKeys: ManageApiKeys;
  /** Provisions clients, without an entry in the audit log. `as({ kind: 'command_line' })` runs the recorded actions. */
  readonly clients: ManageClients;
  /**
   * Binds the actions of signed-in people and of the command line to a caller: each checks the caller's rights and is
   * recorded in the audit log.
   *
   * @example
   * const { key, value } = await countersign
   *   .as({ kind: 'user', session, from: address })
   *   .run(issueApiKey, { name: 'shop', permissions: ['*'] });
   */
  readonly as: (caller: Caller) => As;
  /**
   * Background job that appends summaries of repeated refused attempts to the audit log. Call it each minute and before
   * the process ends; a process that is killed loses at most the counts since the last summary. Never rejects.
   */
  readonly summariseRefusals: () => Promise<void>;
  /** Checks that the audit log is intact, and that it has the receipt of each erasure. */
  readonly verifyAudit: VerifyAudit;
  /** Reads the audit log in order, and checks its chain while it reads. */
  readonly exportAudit: ExportAudit;
  readonly sandbox: DriveSandbox;
  /** Mails to subjects, and the background job that sends them. */
  readonly mails: SendMails;
  /** Background job for verifications that were never completed. */
  readonly expiry: ExpireVerifications;
  /**
   * Background job that erases what is due. Call `applyErasureLog` once before anything is served: it erases again what a restored
   * backup still has.
   */
  readonly retention: RetentionServices['job'];
  /** The flows that this installation uses. */
  readonly flows: Flows;
}

/**
 * Builds the core on the ports. It keeps no state that several instances would have to share.
 *
 * @throws Error if the flows are invalid
 *
 * @example
 * const countersign = createCountersign(
 *   { storage, sealing, rateLimiter, clock, ids, secrets },
 *   { publicBaseUrl: 'https://verify.example' },
 * );
 * const principal = await countersign.authenticate(request.headers['x-api-key']);
 * await countersign.verifications.create(principal, { subjectType: 'kyc', subjectReference: 'user_1' });
 */
export function createCountersign(ports: CountersignPorts, settings: CountersignSettings): Countersign {
  const { storage, staff, rateLimiter, clock, ids, secrets, numberChecks, onFault = () => undefined } = ports;
  const { publicBaseUrl, linkLifetimeDays = LINK_LIFETIME_DAYS, minimumAge = MINIMUM_AGE } = settings;
  const { expireAfterDays = EXPIRE_AFTER_DAYS } = settings;
  const { apiKeys, clients } = storage;
  const { verifications, evidence: files, webhooks } = sealedPorts(ports);
  const flows = checkFlows(settings.flows ?? BUILT_IN_FLOWS);
  const links = createLinks(secrets, publicBaseUrl);
  const evidence = createEvidenceKeeper(files, onFault);
  const sendsMail = ports.mailer !== undefined;
  const change = createChangeVerification({ verifications, flows, clock, ids, evidence }, { sendsMail });
  const createFor = createForRequesterUseCase(
    { verifications, flows, clients, clock, ids, secrets, links },
    { linkLifetimeDays, sendsMail },
  );

  const fileIdsOf: Parameters<typeof createTidyEvidence>[0]['fileIdsOf'] = async (place) => {
    const record = await verifications.find(place.clientId, place.verificationId);
    return record === null ? null : new Set(fromRecord(record, flows).files.map(({ id }) => id));
  };

  const { retention, exports } = storage;
  const retentionSettings = settings.retention ?? DEFAULT_RETENTION_SETTINGS;
  const rulesOf = (clientId: string) => readRules(retention, retentionSettings, clientId);
  const readPause = createReadPause(retention);
  const withPause = createWithPause(readPause);
  const findWithData = createFindWithData({ verifications, flows, rulesOf, withPause, clock });

  const manageApiKeys = createManageApiKeys({ apiKeys, clock, ids, secrets });
  const manageClients = createManageClients(
    { clients, clock, ids },
    { allowsLocalReturns: settings.localReturnAddresses ?? false },
  );

  const appearances = createManageAppearances({ appearances: storage.appearances, clients, logos: ports.logos });

  const rateLimits = createRateLimits({ rateLimiter, clock }, settings.requestRates ?? DEFAULT_REQUEST_RATES);

  const append = createAppendFact({ audit: storage.audit, clock, secrets });
  const refusals = createRefusalLog({ append, clock, onFault });
  const recorder = createAuditRecorder({ append, refusals, onFault });
  const { clientData, management, job } = createRetentionServices(
    {
      retention,
      exports,
      log: ports.erasureLog,
      store: files?.store,
      append,
      clock,
      ids,
      secrets,
      rulesOf,
      withPause,
      clients,
      verifications,
      flows,
      change,
      recorder,
      openRestricted: openRestrictedUseCase({ verifications, findWithData, change, links }),
      onFault,
    },
    retentionSettings,
  );

  /** Without accounts, releases end by their time alone. */
  const mayRelease: MayRelease = async (userId, clientId) => {
    if (staff === undefined) return true;
    const [user, found] = await Promise.all([staff.find(userId), clients.find(clientId)]);
    return user !== null && found !== null && isUserOneOf(EXPORT_MANAGERS, user, liveIdOf(found.client));
  };

  const exportServices = createExportServices(
    {
      exports,
      verifications,
      appearances,
      retention,
      findWithData,
      rulesOf,
      readPause,
      evidence,
      recorder,
      mayRelease,
      links,
      clock,
      ids,
      secrets,
      onFault,
    },
    { publicBaseUrl },
  );

  const filesOfClient = createFilesOfClient({ clients, verifications, flows, evidence, clock });
  const clientExports = createClientExports({
    files: filesOfClient,
    findWithData,
    evidence,
    links,
    clock,
    onFault,
  });

  const { recipients } = ports;
  const { userMails, mailedLinks, sendMails } = createMailServices({
    mails: storage.mails,
    mailer: ports.mailer,
    recipients,
    staff,
    sources: {
      endpointsOf: (clientId) => storage.webhooks.list(clientId),
      keysOf: (clientId) => apiKeys.list(clientId),
    },
    noteExpiringKeys: (mailsAbout) => createKeyNotices({ apiKeys, mailsAbout, clock })(),
    clients,
    verifications,
    appearances,
    flows,
    links,
    publicBaseUrl,
    limits: settings.mailLimits ?? DEFAULT_MAIL_LIMITS,
    clock,
    ids,
    secrets,
    onFault,
  });

  const services: Services = {
    userLinks: { mails: userMails, recipients, newId: () => ids.next() },
    files: filesOfClient,
    clientExports,
    apiKeys: manageApiKeys,
    recentRequests: ports.recentRequests ?? { of: () => [] },
    serviceStatus: ports.serviceStatus,
    clients: manageClients,
    appearances,
    management: createManageVerification({ verifications, change, links }, { linkLifetimeDays }),
    retention: management,
    exports: exportServices.management,
    review: {
      ...createReviewQueue(
        { verifications, flows, clients, evidence, clock, numberChecks, rulesOf, withPause },
        { minimumAge },
      ),
      ...createReviewVerification({ verifications, change }, { linkLifetimeDays }),
    },
    readUsage: createReadUsage({ clients: manageClients, verifications, clock }),
    verificationsOf: (team) =>
      createClientVerifications({ verifications, findWithData, flows, clients, createFor, links }, team),
    get staff() {
      return accountsOf(staff);
    },
    webhooks: createManageWebhooks(
      { webhooks, sender: ports.webhookSender, clock, ids, secrets, countTest: rateLimits.forWebhookTest },
      { allowsHttp: settings.webhooksOverHttp ?? false },
    ),
    webhookLog: createWebhookLog({ webhooks, clock }),
    rateLimiter,
    audit: storage.audit,
    clientOfVerification: rememberClients((verificationId) => verifications.clientOf(verificationId)),
  };

  return {
    flows,
    authenticate: createAuthenticate({
      apiKeys,
      clock,
      secrets,
      count: rateLimits.forClient,
      recordRefusal: (key, from) => refusals.record(refusedNetwork(key, from)),
      onFault,
    }),
    rateLimits,
    verifications: {
      ...createReadVerifications({ verifications, findWithData, flows, links, onFault }),
      create: createVerificationUseCase(createFor),
      withdraw: withdrawVerificationUseCase({ verifications, change, links }),
      ...clientData,
      ...createClientFiles({ recorder, files: filesOfClient, exports: clientExports }),
    },
    subject: {
      ...createCompleteVerification({ verifications, flows, change, evidence, clock, ids, links }, { minimumAge }),
      ...exportServices.subject,
    },
    appearances,
    exports: exportServices.person,
    evidence: createTidyEvidence({ store: files?.store, fileIdsOf, clock, onFault }),
    apiKeys: manageApiKeys,
    clients: manageClients,
    as: createAs({
      services,
      clients,
      clock,
      recorder,
      staff,
      mail: recipients && mailedLinks && { recipients, links: mailedLinks, mails: userMails, ids },
      onFault,
    }),
    summariseRefusals: refusals.summarise,
    exportAudit: createExportAudit({ audit: storage.audit, secrets }),
    verifyAudit: createVerifyAudit({
      audit: storage.audit,
      secrets,
      verifyErasures: createVerifyErasures({ ...storage, secrets, clock }),
    }),
    sandbox: createDriveSandbox(
      { verifications, flows, evidence, clock, ids, onFault },
      { minimumAge, linkLifetimeDays, sendsMail },
    ),
    mails: sendMails,
    expiry: createExpireVerifications(
      { verifications, change, clock, onFault, readPause, hadEndpoint: endpointsAt(webhooks) },
      { expireAfterDays, linkLifetimeDays },
    ),
    retention: job,
  };
}

/** Makes the function that says whether a client had an endpoint at a time. */
function endpointsAt(webhooks: Storage['webhooks']): (clientId: string, at: Date) => Promise<boolean> {
  return async (clientId, at) => (await webhooks.list(clientId)).some(({ createdAt }) => createdAt <= at);
}

function accountsOf(staff: ManageStaff | undefined): ManageStaff {
  if (staff === undefined) throw new Error('The port `staff` is missing: this service has no user accounts');
  return staff;
}
