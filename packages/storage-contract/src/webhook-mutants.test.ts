import { createMemoryStorage } from '@countersign/memory';
import { proveSuites } from '../test-support/mutants/prove-suites.ts';
import { WEBHOOK_MUTANTS } from '../test-support/mutants/webhooks.ts';
import { WEBHOOK_SUITES } from './webhook-contract.ts';

proveSuites(WEBHOOK_SUITES, WEBHOOK_MUTANTS, createMemoryStorage);
