/** Pages of the documentation for developers, below the public address: all but those of the other operations. */
export const DOCS_PAGES: readonly string[] = [
  '/docs',
  '/docs/reference',
  '/docs/reference/createVerification',
  '/docs/reference/webhooks',
  '/docs/reference/objects',
  '/docs/reference/headers',
  '/docs/guides/life-of-a-verification',
  '/docs/guides/errors',
  '/docs/guides/idempotency',
  '/docs/guides/limits',
  '/docs/guides/webhooks',
  '/docs/guides/test-mode',
  '/docs/guides/your-tests',
  '/docs/guides/retention',
  '/docs/guides/embedding',
];
