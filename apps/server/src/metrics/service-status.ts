import type { ServiceStatus, WaitingToSend } from '@countersign/domain';
import { boundedCount } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import type { StatusNotes } from '../serve/status-file.ts';
import type { Backlog } from './backlog-metrics.ts';
import { COUNT_UP_TO, type Figures } from './read-figures.ts';

/** Reads how this server runs, from what it notes for `doctor` and reads for metrics. */
export function createServiceStatus({
  notes,
  figures,
  storage: { webhooks, mails },
}: {
  readonly notes: Pick<StatusNotes, 'server'>;
  readonly figures: Figures;
  readonly storage: Pick<Storage, 'webhooks' | 'mails'>;
}): ServiceStatus {
  return {
    async read() {
      const [webhookBacklog, mailBacklog] = await Promise.all([
        webhooks.backlog(COUNT_UP_TO + 1),
        mails.backlog({ now: new Date(), limit: COUNT_UP_TO + 1 }),
        figures.refresh(),
      ]);
      const { version, startedAt, jobs } = notes.server();
      const latest = figures.latest();
      return {
        version,
        startedAt: new Date(startedAt),
        figures:
          latest === null
            ? null
            : {
                submitted: latest.verifications.submitted,
                oldestSubmittedAt: latest.oldestSubmittedAt,
                unfinishedErasures: latest.unfinishedErasures,
                pausedEndpoints: latest.pausedEndpoints,
              },
        webhooks: waitingOf(webhookBacklog),
        mails: waitingOf(mailBacklog),
        jobs: jobs.map(({ name, endedAt, ok, failures }) => ({
          name,
          endedAt: endedAt === null ? null : new Date(endedAt),
          ok,
          failures,
        })),
      };
    },
  };
}

function waitingOf({ waiting, oldestAt }: Backlog): WaitingToSend {
  return { waiting: boundedCount(waiting, COUNT_UP_TO), oldestAt };
}
