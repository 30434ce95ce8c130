import { constants as access, accessSync, statSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { cameraWarnings } from '../config/camera-warning.ts';
import { readServerSettings } from '../config/environment.ts';
import { isSystemError, SettingError } from '../config/errors.ts';
import { flowVersionWarnings } from '../config/flow-version.ts';
import type { Environment } from '../config/parse-environment.ts';
import type { ServerSettings } from '../config/settings.ts';
import type { Findings } from '../database/findings.ts';
import { listen } from '../serve/listen.ts';
import { nearestExisting } from './evidence-findings.ts';

/** Whether `serve` would accept the settings here. */
export interface SettingsFacts {
  readonly accepted: boolean;
}

/** What a server returns at `/healthz`, and at the port of its metrics. */
const OURS = {
  '': { path: '/healthz', sign: '"status":"ok"' },
  METRICS_: { path: '/metrics', sign: 'countersign_' },
};

const ANSWER_WITHIN_MS = 1_000;

/** Below it, users need a right to listen. */
const UNPRIVILEGED_PORT = 1024;

/** Checks the settings of a server as `serve` does: each value, and whether this machine has its folder and its addresses. Creates nothing. */
export async function examineSettings(environment: Environment): Promise<Findings<SettingsFacts>> {
  let settings: ServerSettings;
  try {
    settings = readServerSettings(environment);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return found([error.message]);
  }
  const { host, port, metrics, dataDir, flowVersion, publicBaseUrl } = settings;
  const problems = [
    ...dataDirectoryProblem(dataDir),
    ...(await addressProblems('', { host, port })),
    ...(metrics === undefined ? [] : await addressProblems('METRICS_', metrics)),
  ];
  return found(
    problems,
    [...cameraWarnings(publicBaseUrl), ...flowVersionWarnings(flowVersion)].map((line) => `Warning: ${line}`),
  );
}

function found(problems: readonly string[], lines: readonly string[] = []): Findings<SettingsFacts> {
  return { facts: { accepted: problems.length === 0 }, lines, problems };
}

function dataDirectoryProblem(dataDir: string): string[] {
  const place = nearestExisting(dataDir);
  try {
    accessSync(place, access.R_OK | access.W_OK | access.X_OK);
    if (statSync(place).isDirectory()) return [];
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  const problem =
    place === dataDir ? 'is not a writable directory' : `cannot be created: ${place} is not a writable directory`;
  return [`DATA_DIR is ${JSON.stringify(dataDir)}: it ${problem}`];
}

type Address = Pick<ServerSettings, 'host' | 'port'>;
type Prefix = keyof typeof OURS;

/** Finds an address that this machine does not have, and a port that a server could not use or that another program uses. */
async function addressProblems(prefix: Prefix, { host, port }: Address): Promise<string[]> {
  // Any free port shows whether the host is right. Trying the configured port could stop a server that starts now from listening.
  const refused = (await tryListening(prefix, { host, port: 0 })) ?? (await rightProblem(prefix, { host, port }));
  if (refused !== undefined) return [refused.message];
  if (!(await isUsedByAnother(prefix, { host, port }))) return [];
  return [`${prefix}PORT is ${port}: another program listens there, expected a free port`];
}

/** Finds a port on which this user may not listen. */
async function rightProblem(prefix: Prefix, address: Address): Promise<SettingError | undefined> {
  if (address.port >= UNPRIVILEGED_PORT) return undefined;
  const refused = await tryListening(prefix, address);
  return isSystemError(refused?.cause, 'EADDRINUSE') ? undefined : refused;
}

async function tryListening(prefix: Prefix, address: Address): Promise<SettingError | undefined> {
  const server = createServer();
  try {
    await listen(server, address, prefix);
    return undefined;
  } catch (error) {
    if (error instanceof SettingError) return error;
    throw error;
  } finally {
    server.close();
  }
}

/** Whether a program other than a server of Countersign listens. */
async function isUsedByAnother(prefix: Prefix, { host, port }: Address): Promise<boolean> {
  const { path, sign } = OURS[prefix];
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  try {
    return !(await answerOf({ host: reached, port, path })).includes(sign);
  } catch (error) {
    // A server under load may not answer in time.
    return isOtherProtocol(error);
  }
}

/** Whether the program that answered does not speak HTTP, or closed the connection. */
function isOtherProtocol(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('HPE_') || code === 'ECONNRESET';
}

/** Requests an address and returns the body of the response. Does not use `fetch`, which refuses to connect to some ports. */
function answerOf(address: {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = get({ ...address, agent: false, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }, (answer) => {
      text(answer).then(resolve, reject);
    });
    asked.on('error', reject);
  });
}
