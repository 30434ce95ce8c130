import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToGuide, WithPart } from '../links.tsx';
import { Sample } from '../prose.tsx';

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="key" title="A key for your tests">
      <p>
        Create a key in{' '}
        <ToGuide docs={docs} to="test-mode">
          test mode
        </ToGuide>
        , and store it as a secret of your CI, such as <code>COUNTERSIGN_TEST_KEY</code>. Never store a key of live
        mode there: a test would create verifications that count and wait for a person. Keys of both modes look
        alike, so let the client check it:
      </p>
      <Sample
        id="mode.typescript"
        title="TypeScript"
        text={`import { createClient } from '@countersign/client';

const client = createClient({
  baseUrl: '${docs.baseUrl}',
  apiKey: process.env.COUNTERSIGN_TEST_KEY ?? '',
  mode: 'test',
});`}
      />
      <p>
        Before its first write, the client reads the mode of the key with one GET. With a key of live mode, each
        write throws <code>WRONG_MODE</code>, and nothing is created. In other languages, compare the header{' '}
        <code>X-Countersign-Mode</code>, which every response to a valid key has, with <code>test</code>. In
        production, <code>{"mode: 'live'"}</code> refuses a key of test mode in the same way.
      </p>
    </Section>
    <Section id="outcome" title="From the creation to the outcome">
      <p>
        Choose the outcome with <code>metadata.sandboxOutcome</code>, and wait for it. Use a new{' '}
        <code>subjectReference</code> in each run, because a second run with the same one gets{' '}
        <ToError docs={docs} code="DUPLICATE_SUBJECT_REFERENCE" />. Poll about once a second: all keys of a client
        share its{' '}
        <ToGuide docs={docs} to="limits">
          rate limit
        </ToGuide>
        , also in test mode.
      </p>
      <Sample
        id="ci.typescript"
        title="TypeScript"
        text={`import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@countersign/client';

const client = createClient({
  baseUrl: process.env.COUNTERSIGN_URL ?? '',
  apiKey: process.env.COUNTERSIGN_TEST_KEY ?? '',
  mode: 'test',
});

test('a customer is approved', { timeout: 60_000 }, async () => {
  const { id } = await client.verifications.create({
    subjectType: 'kyc',
    subjectReference: \`ci_\${randomUUID()}\`,
    metadata: { sandboxOutcome: 'approved' },
  });
  let { status } = await client.verifications.get(id);
  while (status === 'pending' || status === 'submitted') {
    await pause(1_000);
    ({ status } = await client.verifications.get(id));
  }
  assert.equal(status, 'approved');
});`}
      />
      <p>
        A creation with <code>sandboxOutcome</code> and a key of live mode succeeds, because metadata is yours. Its{' '}
        <code>message</code> says that the outcome has no effect.
      </p>
    </Section>
    <WithPart docs={docs} part="webhooks">
      <Section id="webhooks" title="Your webhook receiver">
        <p>
          Webhooks do not reach most CI jobs, because an endpoint needs a public address. Test your receiver with
          webhooks that you sign yourself, one of them with a wrong signature:
        </p>
        <Sample
          id="sign.typescript"
          title="TypeScript"
          text={`import { createHmac } from 'node:crypto';

/** Signs a body as Countersign does. \`secret\` begins with whsec_. */
export function signed(body: string, secret: string): Request {
  const [id, seconds] = ['event_1', Math.floor(Date.now() / 1_000)];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(\`\${id}.\${seconds}.\${body}\`).digest('base64');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': \`v1,\${signature}\`,
  };
  return new Request('http://localhost/webhooks', { method: 'POST', headers, body });
}`}
        />
        <p>
          The{' '}
          <ToGuide docs={docs} to="webhooks">
            guide on webhooks
          </ToGuide>{' '}
          says what your receiver must do. With an endpoint in test mode on your staging system, you can test the
          whole path, from the creation to the webhook.
        </p>
      </Section>
    </WithPart>
    <Section id="pull-requests" title="Pull requests from forks">
      <p>
        Give the key only to jobs of your own branches. Anyone who has it can create and read data of test mode,
        and withdraw the verifications of your other jobs. Revoke it in the dashboard if it leaks.
      </p>
    </Section>
  </>
);

export const yourTests: Guide = {
  slug: 'your-tests',
  title: 'Countersign in your tests',
  summary: 'Create verifications in CI, wait for their outcome, and test what you build on it.',
  Content,
};
