import { keyNoticesSuite } from '../../src/suites/mails/key-notices.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { mailQueue } from './patch.ts';

const { expiringKeys } = mailQueue;

export const keyNoticesMutants: readonly Mutant[] = mutantsOf(keyNoticesSuite, {
  'finds keys that have expired': expiringKeys.input(({ now }) => ({ now: new Date(now.getTime() - 1) })),
});
