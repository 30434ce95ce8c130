import { flowVersions } from '@countersign/domain/flows';
import type { z } from 'zod';
import { FLOWS } from './flows.ts';
import { oneOf } from './parse-environment.ts';

const VERSIONS = flowVersions(FLOWS);

/** The highest version of the flows that new verifications begin with. */
export const flowVersion: z.ZodType<number> = oneOf(VERSIONS.map(String)).transform(Number);

/** Returns a warning if new verifications begin with an earlier version, so that the setting is removed after a rolling upgrade. */
export function flowVersionWarnings(version: number | undefined): string[] {
  if (version === undefined || version === VERSIONS.at(-1)) return [];
  return [
    `FLOW_VERSION is ${version}: new verifications do not begin with the newest flow. Unset it once no server of an earlier version is running`,
  ];
}
