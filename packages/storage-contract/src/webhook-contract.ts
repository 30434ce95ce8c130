import type { WebhookStorage } from '@countersign/domain';
import { describeSuites } from './describe-suites.ts';
import type { Suite } from './suite.ts';
import { dueDeliveriesSuite, endpointLeasesAtOnceSuite, endpointLeasesSuite } from './suites/endpoint-leases.ts';
import { fanOutAtOnceSuite, fanOutSuite } from './suites/fan-out.ts';
import { settlementsSuite } from './suites/settlements.ts';
import { endpointsAtOnceSuite, endpointsSuite } from './suites/webhook-endpoints.ts';
import { backlogSuite, webhookLogSuite } from './suites/webhook-log.ts';
import { webhookSecretsSuite } from './suites/webhook-secrets.ts';

/** The suites about endpoints and deliveries of webhooks. */
export const WEBHOOK_SUITES: readonly Suite<WebhookStorage>[] = [
  endpointsSuite,
  endpointsAtOnceSuite,
  fanOutSuite,
  fanOutAtOnceSuite,
  endpointLeasesSuite,
  endpointLeasesAtOnceSuite,
  dueDeliveriesSuite,
  settlementsSuite,
  webhookLogSuite,
  backlogSuite,
  webhookSecretsSuite,
];

/** Registers the contract of `Storage.webhooks` with vitest. @param create as for `storageContract` */
export function webhookContract(name: string, create: () => Promise<WebhookStorage>): void {
  describeSuites(name, WEBHOOK_SUITES, create, (storage) => storage.close());
}
