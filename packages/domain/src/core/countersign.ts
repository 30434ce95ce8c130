import { type Authenticate, createAuthenticate } from '../access/authenticate.ts';
import { createKeyNotices } from '../access/key-notices.ts';
import { createManageApiKeys, type ManageApiKeys } from '../access/manage-api-keys.ts';
import { type As, createAs } from '../actions/as.ts';
import type { Caller } from '../actions/caller.ts';
import { isUserOneOf, RETENTION_MANAGERS } from '../actions/rights.ts';
import type { Services } from '../actions/services.ts';
import { createWatchReading } from '../actions/watch-reading.ts';
import { createAuditServices } from '../audit/audit-services.ts';
import type { ExportAudit } from '../audit/export-audit.ts';
import { refusedNetwork } from '../audit/refusal-log.ts';
import type { VerifyAudit } from '../audit/verify-audit.ts';
import type { ClientData } from '../erasure/client-data.ts';
import {
  createReadPause,
  createWithPause,
  DEFAULT_RETENTION_SETTINGS,
  readRules,
} from '../erasure/retained-rules.ts';
import { createRetentionServices, type RetentionServices } from '../erasure/retention-services.ts';
import { createVerifyErasures } from '../erasure/verify-erasures.ts';
import { storedContentsOf } from '../evidence/evidence-file.ts';
import { createEvidenceKeeper, type RemoveReadings } from '../evidence/evidence-keeper.ts';
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
import { createIndexLabels, replaceIndexKeys } from '../matching/index-labels.ts';
import { createReadOverview } from '../overview/read-overview.ts';
import { createRateLimits, DEFAULT_REQUEST_RATES, type RateLimits } from '../rate-limit/rate-limit-policy.ts';
import type { DataState } from '../retention/data-state.ts';
import { createDriveSandbox, type DriveSandbox } from '../sandbox/drive-sandbox.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { StoragePart } from '../storage-part.ts';
import { createIndexesFamilyNames, createReadFlowRules } from '../subscription/flow-rules.ts';
import { createManageAppearances, type ManageAppearances } from '../subscription/manage-appearances.ts';
import { createManageClients, type ManageClients } from '../subscription/manage-clients.ts';
import { createManageFlowSettings, type ManageFlowSettings } from '../subscription/manage-flow-settings.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import { createChangeVerification } from '../verification/change-verification.ts';
import { checkFlows, checkFlowVersion } from '../verification/check-flows.ts';
import type { CompleteVerification } from '../verification/complete-verification.ts';
import type { CreateVerification } from '../verification/create-verification.ts';
import { createEndHandOvers } from '../verification/end-hand-overs.ts';
import { EXPIRE_AFTER_DAYS, type ExpireVerifications } from '../verification/expire-verifications.ts';
import { BUILT_IN_FLOWS, type Flows } from '../verification/flow.ts';
import { fromRecord } from '../verification/from-record.ts';
import { createLinks, LINK_LIFETIME_DAYS } from '../verification/link.ts';
import type { WithdrawVerification } from '../verification/manage-verification.ts';
import { openRestrictedUseCase } from '../verification/open-restricted.ts';
import type { ReadVerifications } from '../verification/read-verifications.ts';
import { createDocumentReadings, type DocumentReadings } from '../verification/readings/document-readings.ts';
import { rememberClients } from '../verification/remember-clients.ts';
import { createFindWithData } from '../verification/retained.ts';
import { MINIMUM_AGE } from '../verification/steps/minimum-age.ts';
import { createSubjectLinks } from '../verification/subject-access.ts';
import { createSubjectHandOvers, type SubjectHandOvers } from '../verification/subject-hand-overs.ts';
import { createVerificationServices } from '../verification/verification-services.ts';
import { type CaseWarnings, createCaseWarnings } from '../verification/warnings/case-warnings.ts';
import { createFindOthers, createFindSharing, createSharesNothing } from '../verification/warnings/find-others.ts';
import { createReadWarnings } from '../verification/warnings/read-warnings.ts';
import { createRecomputeWarnings, type RecomputeWarnings } from '../verification/warnings/recompute-warnings.ts';
import { createWebhookServices } from '../webhooks/webhook-services.ts';
import type { CountersignPorts, CountersignSettings } from './countersign-ports.ts';
import { fillParts } from './missing-parts.ts';
import { sealedPorts } from './sealed-ports.ts';
import type { Storage } from './storage.ts';
import { presentParts } from './storage-parts.ts';

/** The service. Every driver calls it: HTTP, pages, the command line, an adopter's own code. */
export interface Countersign {
  /** The parts that the storage has. Calls of the others reject with `NOT_AVAILABLE`. */
  readonly parts: ReadonlySet<StoragePart>;
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
  readonly subject: CompleteVerification & SubjectExports & SubjectHandOvers;
  /** What is read from pictures of documents. */
  readonly readings: DocumentReadings;
  /**
   * Warnings for reviewers, computed in the background. Wait for `settled` before you close the storage: it resolves when the readings that
   * began, and the warnings that they call for, are stored or dropped. `dropWaiting` ends the wait early;
   * `recompute` with `all` computes later what it drops.
   */
  readonly warnings: Pick<CaseWarnings, 'settled' | 'dropWaiting'> & { readonly recompute: RecomputeWarnings };
  /** Clients as their subjects see them. Changes leave no entry in the audit log; `as` runs the recorded actions. */
  readonly appearances: ManageAppearances;
  /** The flow settings of clients. Changes leave no entry in the audit log; `as` runs the recorded actions. */
  readonly flowSettings: ManageFlowSettings;
  /** Downloads of people's data, by a link and a code. */
  readonly exports: PersonExports;
  /**
   * Ends every hand-over code. Call it before the first requests after you restore a backup: some of its codes were used after the
   * backup was made.
   * @returns how many it deleted
   */
  readonly endHandOvers: () => Promise<number>;
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
 * @throws Error if the storage lacks the part `retention` without the setting `withoutErasure`, or if the flows, or the version that new verifications may begin with, are invalid
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
  const { staff, recipients, rateLimiter, clock, ids, secrets, onFault = () => undefined } = ports;
  const parts = presentParts(ports.storage);
  const erasesData = parts.has('retention');
  requireErasureOrConsent(erasesData, settings);
  const storage = fillParts(ports.storage);
  const { publicBaseUrl, linkLifetimeDays = LINK_LIFETIME_DAYS, minimumAge = MINIMUM_AGE } = settings;
  const { expireAfterDays = EXPIRE_AFTER_DAYS, retention: retentionSettings = DEFAULT_RETENTION_SETTINGS } =
    settings;
  const { apiKeys, clients, retention, exports, handOvers } = storage;
  const flowDefaults = { minimumAge, linkLifetimeDays };
  const { verifications, evidence: files, webhooks, readings, indexes } = sealedPorts(ports);
  const removeReadings: RemoveReadings = (places) => readings.remove(places);
  // A storage without readings or mails works like one without a reader or a mailer.
  const reader = parts.has('readings') ? ports.reader : undefined;
  const mailer = parts.has('mails') ? ports.mailer : undefined;
  const sendsMail = mailer !== undefined;
  // A test checks the built-in flows.
  const flows = settings.flows === undefined ? BUILT_IN_FLOWS : checkFlows(settings.flows);
  const flowVersion = checkFlowVersion(settings.flowVersion, flows);
  const links = createLinks(secrets, publicBaseUrl);
  const evidence = createEvidenceKeeper(files, onFault, removeReadings);
  const indexesFamilyNames = createIndexesFamilyNames(clients);
  const indexLabels = createIndexLabels({ indexesFamilyNames, indexes, secrets, onFault });
  const base = {
    clock,
    ids,
    secrets,
    onFault,
    apiKeys,
    clients,
    verifications,
    flows,
    links,
    evidence,
    indexLabels,
    indexesFamilyNames,
  };

  const readPause = createReadPause(retention);
  // Without erasure, pages show no date until which data is kept.
  const withPause = erasesData
    ? createWithPause(readPause)
    : async (state: DataState): Promise<DataState> => ({ ...state, until: null });
  const rulesOf = (clientId: string) => readRules(retention, retentionSettings, clientId);
  const readFlowRules = createReadFlowRules(clients, flowDefaults);
  const documents = createDocumentReadings({
    ...base,
    readings,
    reader,
    readFlowRules,
    onStored: (place) => caseWarnings.keepLater(place),
  });
  const findOthers = createFindOthers(base);
  const { numberChecks } = ports;
  const readWarnings = createReadWarnings({ clock, readFlowRules, documents, numberChecks, findOthers });
  const caseWarnings = createCaseWarnings({
    ...base,
    documents,
    readWarnings,
    findOthers,
    findSharing: createFindSharing(base),
    sharesNothing: createSharesNothing({ ...base, indexes }),
  });
  const settled = () => documents.settled().then(caseWarnings.settled);
  const findWithData = createFindWithData({ ...base, rulesOf, withPause, documents });
  const change = createChangeVerification({ ...base, caseWarnings }, { sendsMail });
  const appearances = createManageAppearances({ appearances: storage.appearances, clients, logos: ports.logos });
  const flowSettings = createManageFlowSettings(clients, flowDefaults, async (clientId) => {
    const twin = await clients.testTwin(clientId, { id: ids.next(), createdAt: clock.now() });
    await replaceIndexKeys({ indexes, secrets }, twin === null ? [clientId] : [clientId, twin.id]);
  });
  const shared = {
    ...base,
    readFlowRules,
    retention,
    exports,
    handOvers,
    readPause,
    withPause,
    rulesOf,
    findWithData,
    change,
    appearances,
    documents,
    caseWarnings,
  };

  const rateLimits = createRateLimits({ rateLimiter, clock }, settings.requestRates ?? DEFAULT_REQUEST_RATES);
  const verifyErasures = createVerifyErasures({ ...storage, secrets, clock });
  const audit = createAuditServices({ ...base, audit: storage.audit, verifyErasures });
  const { append, recorder, refusals } = audit;

  const manageApiKeys = createManageApiKeys(base);
  const manageClients = createManageClients(base, {
    allowsLocalReturns: settings.localReturnAddresses ?? false,
  });
  const webhookServices = createWebhookServices(
    { ...base, webhooks, sender: ports.webhookSender, countTest: rateLimits.forWebhookTest },
    { allowsHttp: settings.webhooksOverHttp ?? false },
  );
  const verification = createVerificationServices(
    {
      ...shared,
      usage: manageClients,
      readWarnings,
      hadEndpoint: webhookServices.hadEndpoint,
    },
    { linkLifetimeDays, expireAfterDays, sendsMail, flowVersion },
  );
  const { clientData, management, job } = createRetentionServices(
    {
      ...shared,
      log: ports.erasureLog,
      store: files?.store,
      append,
      recorder,
      openRestricted: openRestrictedUseCase(shared),
    },
    retentionSettings,
  );
  const mayRelease = createMayRelease({ staff, clients });
  const exportServices = createExportServices(
    // Without erasure, nothing is erased.
    {
      ...shared,
      retention: erasesData ? retention : { find: async () => null },
      erasesData,
      recorder,
      mayRelease,
    },
    { publicBaseUrl },
  );
  const subjectHandOvers = createSubjectHandOvers(
    { ...shared, recorder, subjectLinks: createSubjectLinks(base) },
    { publicBaseUrl },
  );
  const clientExports = createClientExports({ ...shared, files: verification.files });
  const { userMails, mailedLinks, sendMails } = createMailServices({
    ...shared,
    mails: storage.mails,
    mailer,
    recipients,
    staff,
    sources: {
      endpointsOf: (clientId) => storage.webhooks.list(clientId),
      keysOf: (clientId) => apiKeys.list(clientId),
    },
    noteExpiringKeys: (mailsAbout) => createKeyNotices({ mails: storage.mails, mailsAbout, clock })(),
    publicBaseUrl,
    limits: settings.mailLimits ?? DEFAULT_MAIL_LIMITS,
  });

  const services: Services = {
    parts,
    userLinks: { mails: userMails, recipients, newId: () => ids.next() },
    files: verification.files,
    clientExports,
    apiKeys: manageApiKeys,
    recentRequests: ports.recentRequests ?? { of: () => [] },
    serviceStatus: ports.serviceStatus,
    clients: manageClients,
    appearances,
    flowSettings,
    management: verification.management,
    retention: management,
    exports: exportServices.management,
    review: verification.review,
    watchReading: createWatchReading({
      ...base,
      rateLimiter,
      append,
      onBulkReading: ports.onBulkReading ?? (() => undefined),
    }),
    readUsage: verification.usage,
    readActivity: verification.activity,
    overview: createReadOverview({
      clock,
      clients: manageClients,
      apiKeys: manageApiKeys,
      webhooks: webhookServices.management,
      webhookLog: webhookServices.log,
      exports: exportServices.management,
      verifications,
    }),
    verificationsOf: verification.ofTeam,
    get staff() {
      return accountsOf(staff);
    },
    webhooks: webhookServices.management,
    webhookLog: webhookServices.log,
    rateLimiter,
    audit: storage.audit,
    clientOfVerification: rememberClients((verificationId) => verifications.clientOf(verificationId)),
  };

  return {
    parts,
    flows,
    authenticate: createAuthenticate({
      ...base,
      count: rateLimits.forClient,
      recordRefusal: (key, from) => refusals.record(refusedNetwork(key, from)),
    }),
    rateLimits,
    verifications: {
      ...verification.api,
      ...clientData,
      ...createClientFiles({ recorder, files: verification.files, exports: clientExports }),
    },
    subject: { ...verification.completion, ...exportServices.subject, ...subjectHandOvers },
    appearances,
    readings: documents,
    warnings: {
      settled,
      dropWaiting: caseWarnings.dropWaiting,
      recompute: createRecomputeWarnings(base, caseWarnings.keep),
    },
    flowSettings,
    exports: exportServices.person,
    endHandOvers: createEndHandOvers({ handOvers, clock }),
    evidence: createTidyEvidence({
      ...base,
      store: files?.store,
      removeReadings,
      fileIdsOf: createFileIdsOf(base),
    }),
    apiKeys: manageApiKeys,
    clients: manageClients,
    as: createAs({
      ...base,
      services,
      recorder,
      staff,
      mail: recipients && mailedLinks && { recipients, links: mailedLinks, mails: userMails, ids },
    }),
    summariseRefusals: refusals.summarise,
    exportAudit: audit.exportAudit,
    verifyAudit: audit.verifyAudit,
    sandbox: createDriveSandbox(shared, { sendsMail }),
    mails: sendMails,
    expiry: verification.expiry,
    retention: job,
  };
}

/** Compares the part `retention` with the setting `withoutErasure`. @throws Error if both are there, or both are missing */
function requireErasureOrConsent(erasesData: boolean, { withoutErasure = false }: CountersignSettings): void {
  if (erasesData !== withoutErasure) return;
  throw new Error(
    withoutErasure
      ? 'The storage has the part `retention`, so data is erased. Leave out the setting `withoutErasure`.'
      : 'The storage has no part `retention`, so nothing is ever erased. Use a storage that has it, or set `withoutErasure: true`.',
  );
}

/** Without accounts, releases end by their time alone. */
function createMayRelease({
  staff,
  clients,
}: Pick<CountersignPorts, 'staff'> & Pick<Storage, 'clients'>): MayRelease {
  return async (userId, clientId) => {
    if (staff === undefined) return true;
    const [user, found] = await Promise.all([staff.find(userId), clients.find(clientId)]);
    return user !== null && found !== null && isUserOneOf(RETENTION_MANAGERS, user, liveIdOf(found.client));
  };
}

/** Makes the function that lists the ids of the stored contents that a verification uses. */
function createFileIdsOf(ports: {
  readonly verifications: Storage['verifications'];
  readonly flows: Flows;
}): Parameters<typeof createTidyEvidence>[0]['fileIdsOf'] {
  return async ({ clientId, verificationId }) => {
    const record = await ports.verifications.find(clientId, verificationId);
    return record === null
      ? null
      : new Set(
          fromRecord(record, ports.flows)
            .files.flatMap(storedContentsOf)
            .map(({ id }) => id),
        );
  };
}

function accountsOf(staff: ManageStaff | undefined): ManageStaff {
  if (staff === undefined) throw new Error('The port `staff` is missing: this service has no user accounts');
  return staff;
}
