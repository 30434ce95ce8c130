import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isSystemError } from '../config/errors.ts';
import { parseJson, writeWhole } from '../files.ts';
import type { Job, JobRun } from './jobs.ts';
import type { AddressSource } from './peer-address.ts';

/** What a server notes about itself for `doctor`, which runs in another process on the same machine. */
export interface ServerStatus {
  readonly version: string;
  readonly port: number;
  readonly startedAt: string;
  /** Renewed every minute while the server runs. */
  readonly writtenAt: string;
  readonly isStopped: boolean;
  readonly trustedProxies: number;
  readonly requests: {
    /** Requests whose address the server looked up. */
    readonly counted: number;
    /** Of these, requests with an `X-Forwarded-For` that it ignored. */
    readonly forwardedIgnored: number;
    /** Of these, requests with fewer addresses in `X-Forwarded-For` than proxies are trusted. */
    readonly forwardedMissing: number;
  };
  readonly jobs: readonly JobStatus[];
}

/** The last run of a background job; nulls before its first end. */
export interface JobStatus {
  readonly name: string;
  readonly everyMs: number;
  readonly endedAt: string | null;
  readonly ok: boolean | null;
  /** Runs that failed since the server started. */
  readonly failures: number;
}

const moment = z.iso.datetime();
const count = z.int().nonnegative();

const statusSchema: z.ZodType<ServerStatus> = z.object({
  version: z.string(),
  port: z.int(),
  startedAt: moment,
  writtenAt: moment,
  isStopped: z.boolean(),
  trustedProxies: count,
  // Earlier versions did not write the last one.
  requests: z.object({ counted: count, forwardedIgnored: count, forwardedMissing: count.default(0) }),
  jobs: z.array(
    z.object({
      name: z.string(),
      everyMs: count,
      endedAt: moment.nullable(),
      ok: z.boolean().nullable(),
      // Earlier versions did not write it.
      failures: count.default(0),
    }),
  ),
});

/** Notes what a server does, and writes it into its status file. */
export interface StatusNotes {
  jobsStarted(jobs: readonly Job[]): void;
  /** Writes the file immediately after the first run of a job, which is later than the first write of the file. */
  jobEnded(run: JobRun): Promise<void>;
  /** Returns what is known of the server now. */
  server(): Pick<ServerStatus, 'version' | 'startedAt' | 'jobs'>;
  requestFrom(source: AddressSource): void;
  /** Writes after earlier writes have ended. */
  write(options?: { readonly isStopped?: boolean }): Promise<void>;
}

const PREFIX = 'server-status-';

/** Servers of one machine differ by their ports. */
function fileOf(dataDir: string, port: number): string {
  return join(dataDir, `${PREFIX}${port}.json`);
}

export function createStatusNotes(
  server: Pick<ServerStatus, 'version' | 'port' | 'trustedProxies'> & { readonly dataDir: string },
  now: () => Date = () => new Date(),
): StatusNotes {
  const { dataDir, ...facts } = server;
  const startedAt = now().toISOString();
  const jobs = new Map<string, JobStatus>();
  let [counted, forwardedIgnored, forwardedMissing] = [0, 0, 0];
  let lastWrite: Promise<unknown> = Promise.resolve();

  function write({ isStopped = false } = {}): Promise<void> {
    const writing = lastWrite.then(() => {
      const status: ServerStatus = {
        ...facts,
        startedAt,
        writtenAt: now().toISOString(),
        isStopped,
        requests: { counted, forwardedIgnored, forwardedMissing },
        jobs: [...jobs.values()],
      };
      return writeWhole(fileOf(dataDir, facts.port), `${JSON.stringify(status)}\n`);
    });
    // Its caller gets the fault. The next write does not depend on it.
    lastWrite = writing.catch(() => undefined);
    return writing;
  }

  return {
    jobsStarted(started) {
      for (const { name, interval } of started) {
        jobs.set(name, { name, everyMs: interval.everyMs, endedAt: null, ok: null, failures: 0 });
      }
    },
    async jobEnded({ job, ok }) {
      const known = jobs.get(job);
      if (known === undefined) return;
      jobs.set(job, { ...known, endedAt: now().toISOString(), ok, failures: known.failures + (ok ? 0 : 1) });
      if (known.endedAt === null) await write();
    },
    server: () => ({ version: facts.version, startedAt, jobs: [...jobs.values()] }),
    requestFrom(source) {
      counted += 1;
      if (source === 'ignored_forwarding') forwardedIgnored += 1;
      if (source === 'missing_forwarding') forwardedMissing += 1;
    },
    write,
  };
}

/** Reads the status of every server that has run with this data directory. Skips files of other versions. */
export async function readStatuses(dataDir: string): Promise<readonly ServerStatus[]> {
  const statuses: ServerStatus[] = [];
  for (const name of await namesIn(dataDir)) {
    if (!name.startsWith(PREFIX) || !name.endsWith('.json')) continue;
    const parsed = statusSchema.safeParse(parseJson(await readFile(join(dataDir, name), 'utf8')));
    if (parsed.success) statuses.push(parsed.data);
  }
  return statuses.sort((a, b) => a.port - b.port);
}

async function namesIn(dataDir: string): Promise<readonly string[]> {
  try {
    return await readdir(dataDir);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
