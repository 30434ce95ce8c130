import { z } from 'zod';
import { SettingError } from './errors.ts';
import type { TracingSettings } from './settings.ts';

/** The samplers that the SDK of OpenTelemetry knows. It would silently take another name as the default. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** A share of traces, from 0 to 1. */
export const share: z.ZodType<string> = z
  .string()
  .refine(
    (text) => /^(?:0?\.\d{1,10}|[01](?:\.0{1,10})?)$/.test(text),
    'expected a share from 0 to 1, such as 0.05',
  );

/** The variables of OpenTelemetry that decide whether and how traces are sent. Its SDK reads the others itself. */
interface TracingValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_SDK_DISABLED?: 'true' | 'false' | undefined;
}

/**
 * Reads whether and how traces are sent.
 * @returns undefined if none are sent
 * @throws SettingError
 */
export function tracingSettings({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_SDK_DISABLED: disabled,
}: TracingValues): TracingSettings | undefined {
  if (endpoint === undefined || disabled === 'true') return undefined;
  // Errors never quote the URL, which may hold a password.
  const refuse = (problem: string): never => {
    throw new SettingError('OTEL_EXPORTER_OTLP_ENDPOINT', problem);
  };
  if (!/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint)) {
    return refuse(
      'is not a valid URL: expected the OTLP/HTTP address of a collector, such as http://127.0.0.1:4318',
    );
  }
  const { username, password } = new URL(endpoint);
  if (username !== '' || password !== '') {
    return refuse('has a user or a password: put credentials into OTEL_EXPORTER_OTLP_HEADERS');
  }
  return { headers };
}
