import type {
  CountersignPorts,
  CountersignSettings,
  Flows,
  ManageStaff,
  RateLimiter,
  Storage,
} from '@countersign/domain';
import { BUILT_IN_FLOWS, createCountersign } from '@countersign/domain';
import { createNodeSecrets, createNumberChecks, createSystemClock, createUuidIds } from '@countersign/runtime';
import type { Log } from '../logging/log.ts';
import { container, type DependencyContainer, instanceCachingFactory } from './container.ts';
import { tokens } from './tokens.ts';

/** The flows of this installation, for the core and for `doctor`. */
export const FLOWS: Flows = BUILT_IN_FLOWS;

/** What the core is built on and the container cannot make itself, because making it takes time or may fail. */
export interface CoreParts {
  readonly storage: Storage;
  readonly rateLimiter: RateLimiter;
  readonly secretKeys: readonly Uint8Array[];
  /** Left out where nobody uploads or looks at files. */
  readonly evidence?: CountersignPorts['evidence'];
  /** Left out where nobody manages people who sign in. */
  readonly staff?: ManageStaff | undefined;
  readonly settings: CountersignSettings;
  readonly log: Log;
}

/** A container of its own for each server and each command. What it makes, it makes once, when first asked for. */
export function createCoreContainer(parts: CoreParts): DependencyContainer {
  const { storage, rateLimiter, secretKeys, evidence, staff, settings, log } = parts;
  const core = container.createChildContainer();
  // Each call of `once` makes a new cache: one made outside this function would be shared between containers.
  const once = instanceCachingFactory;

  core.register(tokens.storage, { useValue: storage });
  core.register(tokens.rateLimiter, { useValue: rateLimiter });
  core.register(tokens.secretKeys, { useValue: secretKeys });
  core.register(tokens.settings, { useValue: settings });
  core.register(tokens.log, { useValue: log });

  core.register(tokens.clock, { useFactory: once(() => createSystemClock()) });
  core.register(tokens.ids, { useFactory: once(() => createUuidIds()) });
  core.register(tokens.secrets, { useFactory: once((c) => createNodeSecrets(c.resolve(tokens.secretKeys))) });
  core.register(tokens.countersign, {
    useFactory: once((c) => {
      const log = c.resolve(tokens.log);
      return createCountersign(
        {
          storage: c.resolve(tokens.storage),
          rateLimiter: c.resolve(tokens.rateLimiter),
          clock: c.resolve(tokens.clock),
          ids: c.resolve(tokens.ids),
          secrets: c.resolve(tokens.secrets),
          evidence,
          staff,
          numberChecks: createNumberChecks(),
          onFault: (fault) => log.fault(fault),
        },
        { flows: FLOWS, ...c.resolve(tokens.settings) },
      );
    }),
  });
  return core;
}
