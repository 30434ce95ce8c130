import type { ExaminedProvider } from '@countersign/accounts';
import type { Storage } from '@countersign/domain/storage';
import type { RateLimitTableFacts, RedisFacts } from '@countersign/rate-limit';
import { type AccountFacts, examineAccounts } from '../composition/account-findings.ts';
import { type AuditFacts, examineAuditLog } from '../composition/audit-findings.ts';
import { type CountFacts, examineCounts } from '../composition/count-findings.ts';
import { type DiskFacts, examineDisk } from '../composition/disk-findings.ts';
import { type ErasureFacts, examineErasures } from '../composition/erasure-findings.ts';
import { type ErasureLogFacts, examineErasureLog } from '../composition/erasure-log-findings.ts';
import { type EvidenceFacts, examineEvidence } from '../composition/evidence-findings.ts';
import type { IndexFacts } from '../composition/index-findings.ts';
import { examineMail, type MailFacts } from '../composition/mail-findings.ts';
import { examinePolicies, type PolicyFacts } from '../composition/policy-findings.ts';
import { examineSingleSignOn } from '../composition/provider-findings.ts';
import { examineRateLimitTable, examineRedis } from '../composition/rate-limit-findings.ts';
import { examineReader, type ReaderFacts } from '../composition/reader-findings.ts';
import { examineStoredData, type SealingFacts, type StoredDataFindings } from '../composition/sealing-findings.ts';
import { examineServers } from '../composition/server-findings.ts';
import { examineSettings, type SettingsFacts } from '../composition/settings-findings.ts';
import { statisticsProblems } from '../composition/statistics-findings.ts';
import type { VerificationFacts } from '../composition/verification-findings.ts';
import { readDoctorSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';
import { type SecretFile, secretFileWarnings } from '../config/secret-files.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { chooseDatabase, isOpenError } from '../database/choose-database.ts';
import type { Database, DatabaseFacts } from '../database/database.ts';
import { type Findings, NOTHING } from '../database/findings.ts';
import { openEvidence, TRANSFER_DEADLINES } from '../evidence/open-evidence.ts';
import type { ServerStatus } from '../serve/status-file.ts';
import { serverVersion } from '../version.ts';

/** Findings of `doctor` in each part of an installation. */
export type PartFacts = {
  /** Whether a server would start with the settings on this machine. */
  readonly settings: SettingsFacts;
  /** Null when the database cannot be opened. */
  readonly database: DatabaseFacts | null;
  /** Null when REDIS_URL is not set or Redis cannot be reached. */
  readonly redis: RedisFacts | null;
  /** Null when requests are not counted in PostgreSQL, or it cannot be reached. */
  readonly rateLimitTable: RateLimitTableFacts | null;
  /** Null when the servers' secrets are not known here. */
  readonly sealing: SealingFacts | null;
  readonly evidence: EvidenceFacts;
  readonly reader: ReaderFacts;
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
  /** Null when the stored data cannot be read. */
  readonly indexes: IndexFacts | null;
  /** Null when the database cannot be read. */
  readonly accounts: AccountFacts | null;
  /** Null when its end cannot be read or is broken. */
  readonly audit: AuditFacts | null;
};

/** The parts in the order of text and `--json`, with the function that examines each. */
const PARTS: { readonly [P in keyof PartFacts]: Examine<PartFacts[P]> } = {
  settings: ({ environment }) => examineSettings(environment),
  database: ({ database: { facts, lines, problems } }) => {
    return { facts, lines, problems: [...problems, ...statisticsProblems(facts)] };
  },
  redis: ({ settings }) => examineRedis(settings),
  rateLimitTable: ({ settings, database }) => examineRateLimitTable(settings, database.facts),
  sealing: ({ storedData }) => storedData.sealing,
  evidence: ({ evidence }) => evidence,
  reader: ({ reader }) => reader,
  erasureLog: ({ settings, data, options }) =>
    examineErasureLog(settings, data?.storage.retention, { complete: options.completeErasureLog }),
  erasures: inData(({ storage }) => examineErasures(storage, new Date())),
  disk: ({ settings }) => examineDisk(settings),
  servers: ({ settings }) => examineServers(settings),
  counts: inData(({ storage }, { options }) => examineCounts(storage, { mend: options.mendCounts })),
  retentionPolicies: inData(({ storage }, { settings }) => examinePolicies(storage, settings.retention.floor)),
  mail: ({ settings, data }) => examineMail(settings.mail, data?.storage),
  identityProviders: ({ settings }) => examineSingleSignOn(settings.singleSignOn),
  verifications: ({ storedData }) => storedData.verifications,
  indexes: ({ storedData }) => storedData.indexes,
  accounts: inData(({ accounts }, { settings }) => examineAccounts(accounts, settings)),
  audit: inData(({ storage }, { settings }) => examineAuditLog(storage, settings)),
};

type Examine<Facts> = (examination: Examination) => Findings<Facts> | Promise<Findings<Facts>>;

/** What the functions that examine parts receive. */
interface Examination {
  readonly environment: Environment;
  readonly settings: DoctorSettings;
  readonly options: ExamineOptions;
  readonly database: Findings<DatabaseFacts | null>;
  /** Undefined if the database has a problem. */
  readonly data: Data | undefined;
  readonly evidence: Findings<EvidenceFacts>;
  /** Begun before all others, because the start of a process takes time. Never rejects. */
  readonly reader: Promise<Findings<ReaderFacts>>;
  readonly storedData: StoredDataFindings;
}

interface Data {
  readonly storage: Storage;
  readonly accounts: Database['accounts'];
}

/** Examines a part of a database without problems. */
function inData<Facts>(
  examinePart: (data: Data, examination: Examination) => Promise<Findings<Facts>>,
): Examine<Facts | null> {
  return (examination) => (examination.data === undefined ? NOTHING : examinePart(examination.data, examination));
}

/** Findings of `doctor`. */
export interface DoctorReport extends PartFacts {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  /** The files that secrets of the settings were read from. */
  readonly secretFiles: readonly SecretFile[];
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
  options: ExamineOptions,
): Promise<{ report: DoctorReport; text: string }> {
  const settings = readDoctorSettings(environment);
  const reader = examineReader(settings);
  const opened = await openDatabase(await chooseDatabase(settings));
  const found: [part: string, findings: Findings<PartFacts[keyof PartFacts]>][] = [];
  try {
    const evidence = await examineEvidence(settings);
    const storedData = await examineFiles(settings, opened.data, { facts: evidence.facts, deep: options.deep });
    const examination = { environment, settings, options, ...opened, evidence, reader, storedData };
    for (const [part, examinePart] of Object.entries(PARTS)) found.push([part, await examinePart(examination)]);
  } finally {
    await opened.data?.storage.close();
  }
  // Two parts can meet one fault, such as tables of users that are out of date.
  const problems = [...new Set(found.flatMap(([, findings]) => findings.problems))];
  const report = {
    ok: problems.length === 0,
    version: serverVersion(),
    node: process.versions.node,
    secretFiles: settings.secretFiles,
    ...(Object.fromEntries(found.map(([part, { facts }]) => [part, facts])) as PartFacts),
    problems,
  };
  const head = [
    `Countersign ${report.version} on Node ${report.node}`,
    ...settings.secretFiles.map(({ variable, file }) => `${variable} is ${file}`),
    ...secretFileWarnings(settings.secretFiles).map((line) => `Warning: ${line}`),
  ];
  const verdict = report.ok ? ['No problems found'] : problems;
  return { report, text: [...head, ...found.flatMap(([, { lines }]) => lines), ...verdict].join('\n') };
}

/** Examines a database, and opens it if it has no problem. */
async function openDatabase(chosen: Database): Promise<Pick<Examination, 'database' | 'data'>> {
  const database = await chosen.examine();
  if (database.facts === null || database.problems.length > 0) return { database, data: undefined };
  try {
    return { database, data: { storage: await chosen.openToRead(), accounts: chosen.accounts } };
  } catch (error) {
    if (!isOpenError(error)) throw error;
    return { database: { ...database, problems: [error.message] }, data: undefined };
  }
}

/** Looks for the files of verifications where the evidence can be reached. */
async function examineFiles(
  settings: DoctorSettings,
  data: Data | undefined,
  { facts, deep }: { readonly facts: EvidenceFacts; readonly deep: boolean },
): Promise<StoredDataFindings> {
  const { files, store, close } = await openEvidence(settings.evidence, deep ? TRANSFER_DEADLINES : undefined);
  try {
    const isReachable = 'directory' in facts || facts.writable;
    const given = isReachable ? { files, contents: deep ? store : undefined } : { files: undefined };
    return await examineStoredData(settings, given, data);
  } finally {
    close();
  }
}
