import type { ExaminedProvider } from '@countersign/accounts';
import {
  inspectRateLimitTable,
  inspectRedis,
  type RateLimitTableFacts,
  type RedisFacts,
} from '@countersign/rate-limit';
import { type AccountFacts, examineAccounts } from '../composition/account-findings.ts';
import { type AuditFacts, examineAuditLog } from '../composition/audit-findings.ts';
import { type CountFacts, examineCounts } from '../composition/count-findings.ts';
import { type DiskFacts, examineDisk } from '../composition/disk-findings.ts';
import { type ErasureFacts, examineErasures } from '../composition/erasure-findings.ts';
import { type ErasureLogFacts, examineErasureLog } from '../composition/erasure-log-findings.ts';
import { type EvidenceFacts, examineEvidence } from '../composition/evidence-findings.ts';
import { examineMail, type MailFacts } from '../composition/mail-findings.ts';
import { examinePolicies, type PolicyFacts } from '../composition/policy-findings.ts';
import { examineSingleSignOn } from '../composition/provider-findings.ts';
import { examineStoredData, type SealingFacts, type StoredDataFindings } from '../composition/sealing-findings.ts';
import { examineServers } from '../composition/server-findings.ts';
import { examineSettings, type SettingsFacts } from '../composition/settings-findings.ts';
import { examineStatistics } from '../composition/statistics-findings.ts';
import type { VerificationFacts } from '../composition/verification-findings.ts';
import { readDoctorSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';
import { type SecretFile, secretFileWarnings } from '../config/secret-files.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import type { Database, DatabaseFacts } from '../database/database.ts';
import { clockProblem, clockText, type Findings } from '../database/findings.ts';
import { openEvidence, TRANSFER_DEADLINES } from '../evidence/open-evidence.ts';
import type { ServerStatus } from '../serve/status-file.ts';
import { serverVersion } from '../version.ts';

/** What `doctor` finds. */
export interface DoctorReport {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  /** The files that secrets of the settings were read from. */
  readonly secretFiles: readonly SecretFile[];
  /** Null when the database cannot be opened. */
  readonly database: DatabaseFacts | null;
  /** Null when REDIS_URL is not set or Redis cannot be reached. */
  readonly redis: RedisFacts | null;
  /** Null when requests are not counted in PostgreSQL, or it cannot be reached. */
  readonly rateLimitTable: RateLimitTableFacts | null;
  /** Null when the database cannot be read. */
  readonly accounts: AccountFacts | null;
  /** Null when its end cannot be read or is broken. */
  readonly audit: AuditFacts | null;
  /** Whether a server would start with the settings on this machine. */
  readonly settings: SettingsFacts;
  /** Null when the servers' secrets are not known here. */
  readonly sealing: SealingFacts | null;
  readonly evidence: EvidenceFacts;
  /** Null when the erasure log cannot be read. */
  readonly erasureLog: ErasureLogFacts | null;
  /** Null when the database cannot be read. */
  readonly erasures: ErasureFacts | null;
  /** One entry for each file system. */
  readonly disk: readonly DiskFacts[];
  /** Servers that have run with this data directory, with the last runs of their jobs. */
  readonly servers: readonly ServerStatus[];
  /** Null when the database cannot be read. */
  readonly counts: CountFacts | null;
  /** Null when the database cannot be read. */
  readonly retentionPolicies: PolicyFacts | null;
  readonly mail: MailFacts;
  /** One entry for each identity provider; null without any. */
  readonly identityProviders: readonly ExaminedProvider[] | null;
  /** Null when the stored data cannot be read. */
  readonly verifications: VerificationFacts | null;
  /** One line for each problem. */
  readonly problems: readonly string[];
}

/** What `doctor` does beside a usual examination. */
export interface ExamineOptions {
  /** Changes counts of verifications that are wrong. */
  readonly mendCounts: boolean;
  /** Writes erasures of the database that the erasure log lacks. */
  readonly completeErasureLog: boolean;
  /** Opens every file, and compares it with what was uploaded. */
  readonly deep: boolean;
}

/**
 * Examines the installation. Creates and migrates no database.
 * @param environment with the settings of the servers
 * @throws SettingError if a setting is wrong without which nothing can be examined, such as `DATABASE_URL`
 */
export async function examine(
  environment: Environment,
  { mendCounts, completeErasureLog, deep }: ExamineOptions,
): Promise<{ report: DoctorReport; text: string }> {
  const settings = readDoctorSettings(environment);
  const serverSettings = await examineSettings(environment);
  const chosen = await chooseDatabase(settings);
  const database = await chosen.examine();
  const redis = await examineRedis(settings.redisUrl);
  const rateLimitTable = await examineRateLimitTable(settings, database);
  const counts = await examineCounts(readable(chosen, database), { mend: mendCounts });
  const retentionPolicies = await examinePolicies(readable(chosen, database), settings.retention.floor);
  const evidence = await examineEvidence(settings);
  const { sealing, verifications } = await examineFiles(settings, readable(chosen, database), {
    facts: evidence.facts,
    deep,
  });
  const accounts = await examineAccounts(readable(chosen, database), settings);
  const audit = await examineAuditLog(settings, readable(chosen, database));
  const erasureLog = await examineErasureLog(settings, readable(chosen, database), {
    complete: completeErasureLog,
  });
  const erasures = await examineErasures(readable(chosen, database), new Date());
  const disk = examineDisk(settings);
  const servers = await examineServers(settings);
  const mail = await examineMail(settings.mail, readable(chosen, database));
  const identityProviders = await examineSingleSignOn(settings.singleSignOn);
  const all = [
    serverSettings,
    database,
    examineStatistics(database.facts),
    redis,
    rateLimitTable,
    sealing,
    evidence,
    erasureLog,
    erasures,
    disk,
    servers,
    counts,
    retentionPolicies,
    mail,
    identityProviders,
    verifications,
    accounts,
    audit,
  ];
  // Two parts can meet one fault, such as tables of users that are out of date.
  const problems = [...new Set(all.flatMap((findings) => findings.problems))];
  const report = {
    ok: problems.length === 0,
    version: serverVersion(),
    node: process.versions.node,
    secretFiles: settings.secretFiles,
    database: database.facts,
    redis: redis.facts,
    rateLimitTable: rateLimitTable.facts,
    accounts: accounts.facts,
    audit: audit.facts,
    settings: serverSettings.facts,
    sealing: sealing.facts,
    evidence: evidence.facts,
    erasureLog: erasureLog.facts,
    erasures: erasures.facts,
    disk: disk.facts,
    servers: servers.facts,
    counts: counts.facts,
    retentionPolicies: retentionPolicies.facts,
    mail: mail.facts,
    identityProviders: identityProviders.facts,
    verifications: verifications.facts,
    problems,
  };
  const head = [
    `Countersign ${report.version} on Node ${report.node}`,
    ...settings.secretFiles.map(({ variable, file }) => `${variable} is ${file}`),
    ...secretFileWarnings(settings.secretFiles).map((line) => `Warning: ${line}`),
  ];
  const verdict = report.ok ? ['No problems found'] : problems;
  return { report, text: [...head, ...all.flatMap(({ lines }) => lines), ...verdict].join('\n') };
}

/** Looks for the files of verifications where the evidence can be reached. */
async function examineFiles(
  settings: DoctorSettings,
  database: Database | undefined,
  { facts, deep }: { readonly facts: EvidenceFacts; readonly deep: boolean },
): Promise<StoredDataFindings> {
  const { files, store, close } = await openEvidence(settings.evidence, deep ? TRANSFER_DEADLINES : undefined);
  try {
    const isReachable = 'directory' in facts || facts.writable;
    const given = isReachable ? { files, contents: deep ? store : undefined } : { files: undefined };
    return await examineStoredData(settings, given, database);
  } finally {
    close();
  }
}

/** Returns a database without problems. */
function readable(database: Database, { facts, problems }: Findings<DatabaseFacts>): Database | undefined {
  return facts === null || problems.length > 0 ? undefined : database;
}

/** Without Redis, servers on PostgreSQL count requests in a table. */
async function examineRateLimitTable(
  { database, redisUrl }: DoctorSettings,
  { facts: reachable }: Findings<DatabaseFacts>,
): Promise<Findings<RateLimitTableFacts>> {
  if (database.kind !== 'postgres' || redisUrl !== undefined || reachable === null) {
    return { facts: null, lines: [], problems: [] };
  }
  try {
    const facts = await inspectRateLimitTable(database);
    const { table, exists, isUsable, windows } = facts;
    const state = exists ? `${windows ?? 'unknown'} windows` : 'not created yet';
    const right = exists ? `may not read and write ${table}` : `may not create ${table}`;
    const problem = `The user of DATABASE_URL ${right}: until you grant the right, each server counts requests for itself`;
    return { facts, lines: [`Rate limits in the table ${table}, ${state}`], problems: isUsable ? [] : [problem] };
  } catch (error) {
    // @countersign/rate-limit words every error for operators.
    if (error instanceof Error) return { facts: null, lines: [], problems: [error.message] };
    throw error;
  }
}

async function examineRedis(url: string | undefined): Promise<Findings<RedisFacts>> {
  if (url === undefined) return { facts: null, lines: [], problems: [] };
  try {
    const facts = await inspectRedis({ url });
    const lines = [`Redis ${facts.host}, version ${facts.serverVersion}`, clockText('Redis', facts)];
    return { facts, lines, problems: clockProblem('Redis', facts) };
  } catch (error) {
    // @countersign/rate-limit words every error for operators.
    if (error instanceof Error) return { facts: null, lines: [], problems: [error.message] };
    throw error;
  }
}
