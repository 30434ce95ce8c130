import pino from 'pino';
import type { LogLevel } from '../config/settings.ts';
import { errorFields } from './error-fields.ts';

/** One answered request. `path` is the route's template, never what was asked for: that may hold a token. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly clientId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly code?: string | undefined;
}

/** The request in which a fault came up. */
export type FaultContext = Partial<Pick<RequestLine, 'requestId' | 'method' | 'path'>>;

/** What is told of the server itself. */
export interface EventFields {
  readonly version?: string;
  readonly node?: string;
  readonly host?: string;
  readonly port?: number;
  readonly signal?: string;
  readonly waitedMs?: number;
  readonly count?: number;
  /** A store of shared rate limits. */
  readonly store?: 'redis' | 'postgres';
  /** Why it does not count: one line that @countersign/rate-limit words, without what was counted or a password. */
  readonly reason?: string;
}

/** The server's log. Each entry is built from the fields named here, whatever else the object given may carry. */
export interface Log {
  /** `mountPath` is what the path stands below, if not the root. */
  request(line: RequestLine, mountPath?: string): void;
  /** Requests that come every few seconds by design and say nothing: on level `debug`. */
  healthCheck(line: RequestLine): void;
  /** Something that became a 500 or 503, or that no caller waited for. */
  fault(fault: unknown, context?: FaultContext): void;
  /** What ends the process. */
  fatal(fault: unknown): void;
  event(message: string, fields?: EventFields): void;
  warning(message: string, fields?: EventFields): void;
  /** Writes the lines of requests that still wait. */
  flush(): void;
}

/** Lines of requests that wait at most, in number and in milliseconds. */
const WAITING_MAX = 128;
const WAITING_MS = 100;

/**
 * JSON, one entry a line, in the order in which they came. Lines of requests are written many at a time: one after
 * another they cost a third of what each costs in between other work.
 */
export function createLog(options: { level: LogLevel; output: { write(text: string): void } }): Log {
  let waiting: { at: number; fields: RequestLine }[] = [];
  let toldAt: number | undefined;
  const isoTime = createIsoTime();
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => isoTime(toldAt ?? Date.now()),
      formatters: { level: (label) => ({ level: label }) },
    },
    options.output,
  );

  function flush(): void {
    const lines = waiting;
    waiting = [];
    for (const { at, fields } of lines) {
      toldAt = at;
      logger.info(fields, 'request');
    }
    toldAt = undefined;
  }

  function request(line: RequestLine, mountPath = ''): void {
    if (!logger.isLevelEnabled('info')) return;
    waiting.push({ at: Date.now(), fields: requestFields(line, mountPath) });
    if (waiting.length === 1) setTimeout(flush, WAITING_MS).unref();
    if (waiting.length === WAITING_MAX) flush();
  }

  function write(level: 'debug' | 'info' | 'warn' | 'error' | 'fatal', fields: object, message: string): void {
    flush();
    logger[level](fields, message);
  }

  return {
    request,
    healthCheck: (line) => write('debug', requestFields(line, ''), 'health check'),
    fault: (fault, context = {}) =>
      write('error', { ...contextFields(context), error: errorFields(fault) }, 'fault'),
    fatal: (fault) => write('fatal', { error: errorFields(fault) }, 'uncaught'),
    event: (message, fields = {}) => write('info', eventFields(fields), message),
    warning: (message, fields = {}) => write('warn', eventFields(fields), message),
    flush,
  };
}

/** A moment in ISO 8601 as pino takes it. A busy server writes many lines in one millisecond. */
function createIsoTime(): (at: number) => string {
  let last = 0;
  let text = '';
  return (at) => {
    if (at !== last) {
      last = at;
      text = `,"time":"${new Date(at).toISOString()}"`;
    }
    return text;
  };
}

function requestFields(line: RequestLine, mountPath: string): RequestLine {
  const { requestId, method, status, clientId, keyId, code } = line;
  const durationMs = Math.round(line.durationMs * 1_000) / 1_000;
  return { requestId, method, path: mountPath + line.path, status, durationMs, clientId, keyId, code };
}

function contextFields({ requestId, method, path }: FaultContext): object {
  return { requestId, method, path };
}

function eventFields(fields: EventFields): object {
  const { version, node, host, port, signal, waitedMs, count, store, reason } = fields;
  return { version, node, host, port, signal, waitedMs, count, store, reason };
}
