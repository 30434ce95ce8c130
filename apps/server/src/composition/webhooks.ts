import type { Clock, Countersign, Ids } from '@countersign/domain';
import type { WebhookRepository } from '@countersign/domain/storage';
import { createForgetDeliveries } from '@countersign/domain/webhooks';
import {
  createWebhookSender,
  type HttpWebhookSender,
  startWebhookDispatcher,
  type WebhookDispatcher,
} from '@countersign/webhooks';
import type { WebhookSettings } from '../config/settings.ts';
import type { Log } from '../logging/log.ts';
import { backlogReadings } from '../metrics/backlog-metrics.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { COUNT_UP_TO } from '../metrics/read-figures.ts';
import type { Job } from '../serve/jobs.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { serverVersion } from '../version.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** The webhooks of a running server. */
export interface ServerWebhooks {
  /** Background jobs beside the dispatcher. */
  readonly jobs: readonly Job[];
  /** Starts the dispatcher. */
  start(): void;
  /** Begins no further requests and waits up to ten seconds for those under way. A second call waits for the first. */
  close(): Promise<void>;
}

/** Creates the sender of webhooks and of test webhooks. */
export function createSender(
  settings: WebhookSettings,
  { webhookHeaders: moreHeaders }: Pick<Tracing, 'webhookHeaders'> = NO_TRACING,
): HttpWebhookSender {
  return createWebhookSender({ ...settings, userAgent: `Countersign/${serverVersion()}`, moreHeaders });
}

/** Whether the URL of an endpoint may begin with `http://`. The sender checks where it leads. */
export function allowsHttp({ allowHttp, allowedNetworks }: WebhookSettings): boolean {
  return allowHttp || allowedNetworks.length > 0;
}

export interface WebhookParts {
  readonly sender: HttpWebhookSender;
  /** With decrypted secrets. */
  readonly webhooks: WebhookRepository;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mails: Pick<Countersign['mails'], 'aboutPause'>;
  readonly log: Pick<Log, 'event' | 'fault'>;
  readonly metrics: Pick<Metrics, 'begin'> | undefined;
  readonly tracing: Pick<Tracing, 'aroundAttempt'>;
}

/** Composes the dispatcher, its metrics and its jobs. Nothing is sent before `start`. */
export function createServerWebhooks({
  sender,
  webhooks,
  clock,
  ids,
  mails,
  log,
  metrics,
  tracing,
}: WebhookParts): ServerWebhooks {
  const counted = metrics?.begin(
    'webhooks',
    backlogReadings({ read: () => webhooks.backlog(COUNT_UP_TO), onFault: log.fault }),
  );
  const forget = createForgetDeliveries({ webhooks, clock });
  let dispatcher: WebhookDispatcher | undefined;
  let closing: Promise<void> | undefined;

  async function forgetOld(): Promise<void> {
    const count = await forget();
    if (count > 0) log.event('deleted old webhooks from the log', { count });
  }

  async function close(): Promise<void> {
    await dispatcher?.close();
    sender.close();
  }

  return {
    jobs: [{ name: 'forget_webhooks', run: forgetOld, interval: { everyMs: HOUR_MS } }],
    start() {
      dispatcher = startWebhookDispatcher({
        webhooks,
        sender,
        clock,
        ids,
        mailsIfPaused: mails.aboutPause,
        onFault: (fault) => log.fault(fault),
        onAttempt: counted && ((outcome) => counted.attempts.inc({ outcome })),
        aroundAttempt: tracing.aroundAttempt,
      });
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
