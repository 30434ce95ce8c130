import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isSystemError, SettingError } from './errors.ts';
import { type Environment, oneOf, parse, wholeNumber } from './parse-environment.ts';
import type { TracingSettings } from './settings.ts';

/** The samplers that the SDK of OpenTelemetry knows. It would silently take another name as the default. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** A share of traces, from 0 to 1. */
const share = z
  .string()
  .refine(
    (text) => /^(?:0?\.\d{1,10}|[01](?:\.0{1,10})?)$/.test(text),
    'expected a share from 0 to 1, such as 0.05',
  );

const milliseconds = wholeNumber(1, 3_600_000);
const spans = wholeNumber(1, 1_000_000);

/** Beginnings of the exporter's variables, in the order in which the SDK prefers them. */
const [FOR_TRACES, EXPORTER] = ['OTEL_EXPORTER_OTLP_TRACES_', 'OTEL_EXPORTER_OTLP_'] as const;
const ENDPOINT = `${EXPORTER}ENDPOINT`;

const switches = z.object({
  OTEL_SDK_DISABLED: oneOf(['true', 'false']).optional(),
  [ENDPOINT]: z.string().optional(),
});

const text = z.string().optional();

/** Variables of the exporter, each also with `TRACES_` in its name. */
const exporter = {
  PROTOCOL: oneOf(['http/protobuf']).optional(),
  COMPRESSION: oneOf(['gzip', 'none']).optional(),
  TIMEOUT: milliseconds.optional(),
  ENDPOINT: text,
  HEADERS: text,
  CERTIFICATE: text,
  CLIENT_CERTIFICATE: text,
  CLIENT_KEY: text,
};

/** The variables that count where traces are sent. The SDK ignores bad values without a word, or never ends with a batch of 0. */
const schema = z.object({
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none']).optional(),
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS).optional(),
  OTEL_TRACES_SAMPLER_ARG: share.optional(),
  OTEL_SERVICE_NAME: text,
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .refine((pairs) => arePairs(pairs, /^[^\s,;=]+$/, /^/), 'expected pairs such as team=kyc,region=eu')
    .optional(),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds.optional(),
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds.optional(),
  OTEL_BSP_MAX_QUEUE_SIZE: spans.optional(),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: spans.optional(),
  ...Object.fromEntries(
    [EXPORTER, FOR_TRACES].flatMap((beginning) =>
      Object.entries(exporter).map(([name, each]) => [beginning + name, each]),
    ),
  ),
});

/** The names of the variables that are checked. */
export const TRACING_VARIABLES: readonly string[] = [
  ...new Set([...Object.keys(switches.shape), ...Object.keys(schema.shape)]),
];

/**
 * Reads whether and how traces are sent. Other variables than the switches are checked only if they are.
 * @param headers value of `OTEL_EXPORTER_OTLP_HEADERS`, which can be in a file
 * @returns undefined if none are sent
 * @throws SettingError
 */
export function tracingSettings(
  environment: Environment,
  headers: string | undefined,
): TracingSettings | undefined {
  const { OTEL_SDK_DISABLED: disabled, [ENDPOINT]: endpoint } = parse(switches, environment);
  if (endpoint === undefined || disabled === 'true') return undefined;
  const values = parse(schema, environment);
  if (values.OTEL_TRACES_EXPORTER === 'none') return undefined;
  for (const name of [`${FOR_TRACES}ENDPOINT`, ENDPOINT]) checkEndpoint(name, environment[name]);
  checkHeaders(`${FOR_TRACES}HEADERS`, environment[`${FOR_TRACES}HEADERS`]);
  checkHeaders(`${EXPORTER}HEADERS`, headers);
  return {
    headers,
    tls: {
      ca: readPem(environment, 'CERTIFICATE', isCertificate),
      cert: readPem(environment, 'CLIENT_CERTIFICATE', isCertificate),
      key: readPem(environment, 'CLIENT_KEY', createPrivateKey),
    },
  };
}

/** Checks the address of a collector. Errors never quote it, because it may hold a password. */
function checkEndpoint(variable: string, endpoint: string | undefined): void {
  if (!endpoint) return;
  if (!/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint)) {
    throw new SettingError(
      variable,
      'is not a valid URL: expected the OTLP/HTTP address of a collector, such as http://127.0.0.1:4318',
    );
  }
  const { username, password } = new URL(endpoint);
  if (username !== '' || password !== '') {
    throw new SettingError(variable, 'has a user or a password: put credentials into OTEL_EXPORTER_OTLP_HEADERS');
  }
}

/** Checks headers for the collector. Errors never quote them, because they may hold credentials. */
function checkHeaders(variable: string, headers: string | undefined): void {
  if (!headers || arePairs(headers, /^[\w!#$%&'*+.^`|~-]+$/, /^[\t\x20-\x7e\x80-\xff]*$/)) return;
  throw new SettingError(variable, 'is invalid: expected pairs such as authorization=Bearer%20…,x-team=kyc');
}

/** Whether a text has `name=value` pairs, separated by commas, with values in percent-encoding. */
function arePairs(pairs: string, name: RegExp, value: RegExp): boolean {
  return pairs.split(',').every((pair) => {
    const [key = '', ...rest] = pair.split('=');
    const decoded = decodedOrNull(rest.join('=').trim());
    return rest.length > 0 && name.test(key.trim()) && decoded !== null && value.test(decoded);
  });
}

function decodedOrNull(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

const isCertificate = (pem: Buffer): unknown => new X509Certificate(pem);

/**
 * Reads a file of certificates or a key for the collector.
 * @param check throws if the content is not what it has to be
 */
function readPem(environment: Environment, name: string, check: (pem: Buffer) => unknown): Buffer | undefined {
  const variable = environment[FOR_TRACES + name] ? FOR_TRACES + name : EXPORTER + name;
  const file = environment[variable];
  if (!file) return undefined;
  try {
    const pem = readFileSync(file);
    check(pem);
    return pem;
  } catch (error) {
    const problem = isSystemError(error) ? `the file cannot be read (${error.code})` : 'the file has no valid PEM';
    throw new SettingError(variable, `is ${JSON.stringify(file)}: ${problem}`, { cause: error });
  }
}
