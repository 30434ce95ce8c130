import { inspectRedis, type RedisFacts } from '@countersign/rate-limit';
import { chooseDatabase } from '../composition/choose-database.ts';
import { clockProblem, clockText } from '../composition/clock-difference.ts';
import type { DatabaseFindings } from '../composition/database.ts';
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
  const { examine: examineDatabase } = await chooseDatabase(settings);
  const database = await examineDatabase();
  const redis = await examineRedis(settings.redisUrl);
  const problems = [...database.problems, ...redis.problems];
  const report = {
    ok: problems.length === 0,
    version: serverVersion(),
    node: process.versions.node,
    database: database.facts,
    redis: redis.facts,
    problems,
  };
  const head = `Countersign ${report.version} on Node ${report.node}`;
  const verdict = report.ok ? ['All is well'] : problems;
  return { report, text: [head, ...database.lines, ...redis.lines, ...verdict].join('\n') };
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
