import type { Suite } from './suite.ts';
import { dueDeliveriesSuite, endpointLeasesAtOnceSuite, endpointLeasesSuite } from './suites/endpoint-leases.ts';
import { fanOutAtOnceSuite, fanOutSuite } from './suites/fan-out.ts';
import { settlementsSuite } from './suites/settlements.ts';
import { endpointsAtOnceSuite, endpointsSuite } from './suites/webhook-endpoints.ts';
import { backlogSuite, webhookLogSuite } from './suites/webhook-log.ts';
import { webhookSecretsSuite } from './suites/webhook-secrets.ts';

/** Suites of the storage contract about endpoints and deliveries of webhooks. */
export const WEBHOOK_SUITES: readonly Suite[] = [
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
