import { copiedSuite } from '../test-support/copied.ts';
import { describeSuites } from './describe-suites.ts';

describeSuites(
  'transfer',
  [copiedSuite],
  async () => undefined,
  async () => undefined,
);
