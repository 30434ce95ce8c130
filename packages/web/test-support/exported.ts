import { type ExportDownload, type PersonalData, personalDataOf } from '@countersign/domain/exports';
import { DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR } from '@countersign/domain/retention';
import { STATUS_EVENT_TYPES } from '@countersign/domain/storage';
import type { GivenCases } from './cases.ts';

const links = { url: () => '', idIn: () => '', check: () => undefined };
const rules = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };

/** Reads a verification as the download of an export does. `parts` replace single values. */
export async function exportedOf(
  { review, ports }: GivenCases,
  verificationId: string,
  parts: Partial<PersonalData> = {},
): Promise<ExportDownload> {
  const { verification, events, readings } = await review.open(verificationId, { allEvents: true });
  const changes = events.filter(({ type }) => STATUS_EVENT_TYPES.includes(type));
  const found = {
    verification,
    readings,
    events: changes,
    data: { state: 'kept', until: null } as const,
    legalEnd: null,
  };
  const given = {
    clientName: 'Acme Bank',
    erasesData: true,
    rules,
    pausedUntil: null,
    links,
    now: ports.clock.now(),
  };
  const data = personalDataOf(found, given);
  return {
    data: { ...data, ...parts },
    flow: verification.flow,
    readFile: (fileId) => review.readFile(verificationId, fileId),
    requireStill: () => Promise.resolve(),
  };
}
