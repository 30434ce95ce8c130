import type { Findings } from '../database/findings.ts';
import { type JobStatus, readStatuses, type ServerStatus } from '../serve/status-file.ts';

/** A server writes its status every minute. After this time without one, it is not running. */
const ALIVE_WITHIN_MS = 3 * 60 * 1_000;

/** A job is late after three intervals, and never earlier than this. */
const LATE_AFTER_MS = 5 * 60 * 1_000;

/** From this many requests with or without `X-Forwarded-For`, a wrong setting is likely. Any caller may send a few. */
const FORWARDED_REQUESTS = 10;

/** Examines the status files of the servers of this machine. */
export async function examineServers(
  { dataDir }: { readonly dataDir: string },
  now: Date = new Date(),
): Promise<Findings<readonly ServerStatus[]>> {
  const facts = await readStatuses(dataDir);
  return {
    facts,
    lines: facts.map((status) => lineOf(status, now)),
    problems: facts.filter((status) => isRunning(status, now)).flatMap((status) => problemsOf(status, now)),
  };
}

function isRunning({ isStopped, writtenAt }: ServerStatus, now: Date): boolean {
  return !isStopped && ageOf(writtenAt, now) < ALIVE_WITHIN_MS;
}

function ageOf(moment: string, now: Date): number {
  return now.getTime() - new Date(moment).getTime();
}

function lineOf(status: ServerStatus, now: Date): string {
  const { port, version, startedAt, writtenAt, isStopped } = status;
  const state = isRunning(status, now)
    ? `running since ${startedAt}`
    : isStopped
      ? `stopped ${writtenAt}`
      : `not running, last seen ${writtenAt}`;
  const jobs = status.jobs.map(
    ({ name, endedAt, ok }) => `${name} ${endedAt ?? 'not finished yet'}${ok === false ? ' (failed)' : ''}`,
  );
  return `Server on port ${port}, version ${version}, ${state}; last runs of jobs: ${jobs.join(', ') || 'none'}`;
}

function problemsOf(status: ServerStatus, now: Date): string[] {
  const { port, jobs, requests, trustedProxies } = status;
  const problems = jobs.flatMap((job) => jobProblem(job, status, now));
  const { counted, forwardedIgnored, forwardedMissing } = requests;
  const isUsual = (count: number) => count >= FORWARDED_REQUESTS && count * 2 >= counted;
  if (trustedProxies === 0 && isUsual(forwardedIgnored)) {
    problems.push(
      `${forwardedIgnored} of ${counted} requests to the server on port ${port} had X-Forwarded-For, but TRUST_PROXY is 0: all of them count as requests of the proxy. Set TRUST_PROXY to the number of proxies`,
    );
  }
  if (isUsual(forwardedMissing)) {
    problems.push(
      `${forwardedMissing} of ${counted} requests to the server on port ${port} had fewer addresses in X-Forwarded-For than TRUST_PROXY (${trustedProxies}): rate limits and networks of API keys see the address of a proxy. Let each proxy add the address of its caller, or lower TRUST_PROXY`,
    );
  }
  return problems;
}

function jobProblem(
  { name, everyMs, endedAt, ok }: JobStatus,
  { port, startedAt }: ServerStatus,
  now: Date,
): string[] {
  if (ok === false) {
    return [`The job ${name} of the server on port ${port} failed at ${endedAt}: see its log`];
  }
  if (ageOf(endedAt ?? startedAt, now) <= Math.max(3 * everyMs, LATE_AFTER_MS)) return [];
  return [
    `The job ${name} of the server on port ${port} has not finished since ${endedAt ?? startedAt}: see its log`,
  ];
}
