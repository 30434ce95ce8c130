import { inspectRedis, type RedisFacts } from '@countersign/rate-limit';
import { chooseDatabase } from '../composition/choose-database.ts';
import { clockProblem, clockText } from '../composition/clock-difference.ts';
import type { Database, DatabaseFindings } from '../composition/database.ts';
import { type EvidenceFacts, examineEvidence } from '../composition/evidence-findings.ts';
import { examineSealing, type SealingFacts } from '../composition/sealing-findings.ts';
import type { DoctorSettings } from '../config/settings.ts';
import { serverVersion } from '../version.ts';

/** What `doctor` finds. */
export interface DoctorReport {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  /** Null where it cannot be opened. */
  readonly database: DatabaseFindings['facts'];
  /** Null where none is set, or it cannot be reached. */
  readonly redis: RedisFacts | null;
  /** Null where the secrets of the servers are not known here. */
  readonly sealing: SealingFacts | null;
  readonly evidence: EvidenceFacts;
  /** One line for each thing that is wrong. */
  readonly problems: readonly string[];
}

interface RedisFindings {
  readonly facts: RedisFacts | null;
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

/** Reads everything and changes nothing: neither makes a database nor migrates one. */
export async function examine(settings: DoctorSettings): Promise<{ report: DoctorReport; text: string }> {
  const chosen = await chooseDatabase(settings);
  const database = await chosen.examine();
  const redis = await examineRedis(settings.redisUrl);
  const sealing = await examineSealing(settings, readable(chosen, database));
  const evidence = examineEvidence(settings);
  const all = [database, redis, sealing, evidence];
  const problems = all.flatMap((findings) => findings.problems);
  const report = {
    ok: problems.length === 0,
    version: serverVersion(),
    node: process.versions.node,
    database: database.facts,
    redis: redis.facts,
    sealing: sealing.facts,
    evidence: evidence.facts,
    problems,
  };
  const head = `Countersign ${report.version} on Node ${report.node}`;
  const verdict = report.ok ? ['All is well'] : problems;
  return { report, text: [head, ...all.flatMap(({ lines }) => lines), ...verdict].join('\n') };
}

/** How to read a database in which nothing was found wrong. */
function readable(database: Database, { facts, problems }: DatabaseFindings): Database['openToRead'] | undefined {
  return facts === null || problems.length > 0 ? undefined : database.openToRead;
}

async function examineRedis(url: string | undefined): Promise<RedisFindings> {
  if (url === undefined) return { facts: null, lines: [], problems: [] };
  try {
    const facts = await inspectRedis({ url });
    const lines = [`Redis ${facts.host}, version ${facts.serverVersion}`, clockText('Redis', facts)];
    return { facts, lines, problems: clockProblem('Redis', facts) };
  } catch (error) {
    // Whatever it is, @countersign/rate-limit has worded it.
    if (error instanceof Error) return { facts: null, lines: [], problems: [error.message] };
    throw error;
  }
}
