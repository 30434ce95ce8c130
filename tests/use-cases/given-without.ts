import { createCountersign } from '@countersign/domain';
import { type CorePorts, PART_NAMES, type SomeParts, type StoragePart } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createMemoryMailer,
  createMemoryRateLimiter,
} from '@countersign/memory';
import { givenService, type Service } from '@countersign/test-support/service/service';

/**
 * A service in memory whose storage lacks parts.
 * @param storageOf makes the storage of its ports. Default: an object of them
 */
export function givenWithout(
  missing: readonly StoragePart[],
  storageOf: (ports: CorePorts & SomeParts) => CorePorts & SomeParts = (ports) => ports,
): Service {
  const service = givenService();
  const { clock, evidence, staff, storage } = service;
  const { clients, apiKeys, verifications, dataKeys, audit } = storage;
  const core: CorePorts = { clients, apiKeys, verifications, dataKeys, audit };
  const parts: SomeParts = Object.fromEntries(
    PART_NAMES.filter((part) => !missing.includes(part)).map((part) => [part, storage[part]]),
  );
  const ports = storageOf({ ...core, ...parts });
  const countersign = createCountersign(
    {
      storage: ports,
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets: createCountingSecrets(),
      staff,
      recipients: staff,
      mailer: createMemoryMailer(),
      evidence,
    },
    { publicBaseUrl: 'https://verify.example', withoutErasure: ports.retention === undefined },
  );
  return { ...service, countersign };
}
