import { createCountersign } from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { createWeb } from '@countersign/web';
import { NO_SIGN_IN } from '../pages/no-sign-in.ts';

/** Creates pages with those that show the parts of pages at `/design`, which read nothing. @param isOn `false` without them */
export function givenDesignPages({
  publicBaseUrl = 'https://verify.example',
  isOn = true,
} = {}): ReturnType<typeof createWeb> {
  const clock = createFixedClock();
  const secrets = createCountingSecrets();
  const storage = createMemoryStorage();
  const rateLimiter = createMemoryRateLimiter(clock);
  const ids = createCountingIds();
  return createWeb({
    countersign: createCountersign(
      { storage, sealing: 'none', rateLimiter, clock, ids, secrets },
      { publicBaseUrl },
    ),
    signIn: NO_SIGN_IN,
    secrets,
    clock,
    publicBaseUrl,
    designPages: isOn,
    answersUnknownPaths: true,
    clientAddress: () => '192.0.2.1',
    onFault: (fault) => {
      throw fault;
    },
  });
}
