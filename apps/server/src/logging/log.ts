import pino from 'pino';
import type { LogLevel } from '../config/environment.ts';
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
}

/** The server's log. Each entry is built from the fields named here, whatever else the object given may carry. */
export interface Log {
  request(line: RequestLine): void;
  /** Requests that come every few seconds by design and say nothing: on level `debug`. */
  healthCheck(line: RequestLine): void;
  /** Something that became a 500 or 503, or that no caller waited for. */
  fault(fault: unknown, context?: FaultContext): void;
  /** What ends the process. */
  fatal(fault: unknown): void;
  event(message: string, fields?: EventFields): void;
  warning(message: string, fields?: EventFields): void;
}

/** JSON, one entry a line. */
export function createLog(options: { level: LogLevel; output: { write(text: string): void } }): Log {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.output,
  );

  return {
    request: (line) => logger.info(requestFields(line), 'request'),
    healthCheck: (line) => logger.debug(requestFields(line), 'health check'),
    fault: (fault, context = {}) =>
      logger.error({ ...contextFields(context), error: errorFields(fault) }, 'fault'),
    fatal: (fault) => logger.fatal({ error: errorFields(fault) }, 'uncaught'),
    event: (message, fields = {}) => logger.info(eventFields(fields), message),
    warning: (message, fields = {}) => logger.warn(eventFields(fields), message),
  };
}

function requestFields(line: RequestLine): RequestLine {
  const { requestId, method, path, status, clientId, keyId, code } = line;
  const durationMs = Math.round(line.durationMs * 1_000) / 1_000;
  return { requestId, method, path, status, durationMs, clientId, keyId, code };
}

function contextFields({ requestId, method, path }: FaultContext): object {
  return { requestId, method, path };
}

function eventFields({ version, node, host, port, signal, waitedMs }: EventFields): object {
  return { version, node, host, port, signal, waitedMs };
}
