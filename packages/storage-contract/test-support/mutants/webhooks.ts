import type { Mutant } from './mutant.ts';
import { backlogMutants } from './webhook-backlog.ts';
import { dueDeliveriesMutants } from './webhook-due.ts';
import { endpointsAtOnceMutants, endpointsMutants } from './webhook-endpoints.ts';
import { fanOutAtOnceMutants, fanOutMutants } from './webhook-fan-out.ts';
import { endpointLeasesAtOnceMutants, endpointLeasesMutants } from './webhook-leases.ts';
import { webhookLogMutants } from './webhook-log.ts';
import { webhookSecretsMutants } from './webhook-secrets.ts';
import { settlementsMutants } from './webhook-settlements.ts';

/** The mutants of the suites about webhooks. */
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  [endpointsMutants, endpointsAtOnceMutants],
  [fanOutMutants, fanOutAtOnceMutants],
  [endpointLeasesMutants, endpointLeasesAtOnceMutants, dueDeliveriesMutants],
  [settlementsMutants, webhookLogMutants, backlogMutants, webhookSecretsMutants],
].flat(2);
