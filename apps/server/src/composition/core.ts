import type {
  Clock,
  Countersign,
  CountersignPorts,
  CountersignSettings,
  Ids,
  RateLimiter,
  SealingSecrets,
} from '@countersign/domain';
import { createCountersign } from '@countersign/domain';
import type { ManageStaff } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { createNodeSecrets, createNumberChecks, createSystemClock, createUuidIds } from '@countersign/runtime';
import { FLOWS } from '../config/flows.ts';

/** Parts of the core that take time to open or can fail. */
export interface CoreParts {
  readonly storage: Storage;
  readonly sealing: CountersignPorts['sealing'];
  readonly rateLimiter: RateLimiter;
  readonly secretKeys: readonly Uint8Array[];
  /** Undefined in processes that neither take nor show files. */
  readonly evidence?: CountersignPorts['evidence'];
  /** Undefined in processes that take no logos. */
  readonly logos?: CountersignPorts['logos'];
  /** Undefined in processes that take no files, and where no documents are read. */
  readonly reader?: CountersignPorts['reader'];
  /** Undefined in processes that erase nothing. */
  readonly erasureLog?: CountersignPorts['erasureLog'];
  /** Undefined in processes that manage no users. */
  readonly staff?: ManageStaff | undefined;
  /** Undefined in processes that answer no requests of the API. */
  readonly recentRequests?: CountersignPorts['recentRequests'];
  /** Undefined in processes that serve no pages. */
  readonly serviceStatus?: CountersignPorts['serviceStatus'];
  /** Undefined in processes that send no test webhooks. */
  readonly webhookSender?: CountersignPorts['webhookSender'];
  /** Undefined in processes that send no mails. */
  readonly mailer?: CountersignPorts['mailer'];
  /** Undefined in processes that count nothing. */
  readonly onBulkReading?: CountersignPorts['onBulkReading'];
  /** Undefined in processes that send no mails to users: commands always print one-time links. */
  readonly recipients?: CountersignPorts['recipients'];
  readonly settings: CountersignSettings;
  onFault?(fault: unknown): void;
}

/** The core and the runtime ports it was created with. */
export interface Core {
  readonly countersign: Countersign;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: SealingSecrets;
}

/** Creates the core on Node's clock, ids and cryptography. Servers and commands each create one. */
export function createCore({ secretKeys, settings, onFault = () => undefined, ...parts }: CoreParts): Core {
  const clock = createSystemClock();
  const ids = createUuidIds();
  const secrets = createNodeSecrets(secretKeys);
  const numberChecks = createNumberChecks();
  const countersign = createCountersign(
    { ...parts, clock, ids, secrets, numberChecks, onFault },
    { flows: FLOWS, ...settings },
  );
  return { countersign, clock, ids, secrets };
}
