import {
  DELIVERIES_KEPT_DAYS,
  ENDPOINT_STATES,
  type EndpointState,
  FAILING_LIMIT_MS,
  LONGEST_WAIT_MS,
  MAX_REPLACED_SECRETS,
  MAX_WEBHOOK_ENDPOINTS,
  RECOVERY,
  RETRY_WAITS_MS,
  SECRET_OVERLAP_HOURS,
  WEBHOOK_DEADLINE_MS,
} from '@countersign/domain/webhooks';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { countOfUnits, figure, listInWords, spanInWords } from '../../site/formats.ts';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToGuide, ToOperation, WithPart } from '../links.tsx';
import { Sample, TextTable } from '../prose.tsx';
import { referencePath, WEBHOOKS } from '../reference-paths.ts';

const span = (milliseconds: number): string => spanInWords(milliseconds, 'en');

const STATE_NAMES: Readonly<Record<EndpointState, string>> = {
  active: 'Active',
  paused: 'Paused',
  disabled: 'Disabled',
};

const STATE_MEANINGS: Readonly<Record<EndpointState, string>> = {
  active: 'Webhooks are sent.',
  paused: `Webhooks wait until a user resumes the endpoint. An endpoint is paused automatically when every attempt has failed for ${span(FAILING_LIMIT_MS)}.`,
  disabled:
    'No webhooks are sent, and waiting ones fail. A user disables an endpoint, or your system does with the response 410 Gone.',
};

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="endpoint" title="Add an endpoint">
      <p>
        A webhook is a signed request that this service sends to your system when a verification changes. An owner
        of your team adds an endpoint in the dashboard under <strong>Webhooks</strong>: its URL, and the types that
        it receives. The page shows the secret of the endpoint, <code>whsec_…</code>, once. Store it as you store a
        password.
      </p>
      <p>
        A client has at most {MAX_WEBHOOK_ENDPOINTS} endpoints. An endpoint receives the events from its creation
        on. <strong>Send a test</strong> sends a <code>webhook.test</code> and shows the response of your system.
      </p>
      <p>
        The types and their body are in the <a href={docs.href(referencePath(WEBHOOKS))}>reference</a>. The body
        has ids, the status and reason codes, and never personal data or your <code>subjectReference</code>. Read
        the verification with <ToOperation docs={docs} id="getVerification" /> to learn more. Newer versions may
        add types: accept those that you do not know, and ignore them.
      </p>
    </Section>
    <Section id="verify" title="Verify the signature">
      <p>
        Webhooks follow <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>, which has libraries for
        all common languages. Verify the raw body, before a parser changes it, and refuse requests that were sent
        more than five minutes ago; the libraries do both.
      </p>
      <Sample
        id="verify.typescript"
        title="TypeScript"
        text={`import { verifyWebhook } from '@countersign/client';

const { id, payload } = await verifyWebhook(request, process.env.COUNTERSIGN_WEBHOOK_SECRET ?? '');
if (payload.type === 'verification.approved') approve(payload.data.verificationId, id);`}
      />
      <Sample
        id="verify.python"
        title="Python"
        text={`from standardwebhooks.webhooks import Webhook

event = Webhook(secret).verify(body, headers)  # raises WebhookVerificationError
print(headers["webhook-id"], event["type"], event["data"]["sequence"])`}
      />
      <p>
        Respond with a status from 200 to 299 within {span(WEBHOOK_DEADLINE_MS)}, and do slow work afterwards.
        Redirects are not followed.
      </p>
    </Section>
    <Section id="order" title="Order and duplicates">
      <ul>
        <li>
          A webhook is sent at least once. Store the header <code>webhook-id</code> of each webhook that you
          handled, and ignore repetitions.
        </li>
        <li>
          The webhooks of one verification arrive in order: the next is sent once the previous one was received or
          has failed for good. Different verifications do not wait for each other.
        </li>
        <li>
          <code>sequence</code> grows with each change of a verification, with gaps. Ignore a webhook whose number
          is lower than one that you handled.
        </li>
      </ul>
    </Section>
    <Section id="retries" title="Retries">
      <p>
        After any other response, and after none, the webhook is sent again, at most {RETRY_WAITS_MS.length} times.
        The waits are {listInWords(RETRY_WAITS_MS.map(span), 'en')}, and longer if your system asks for more with{' '}
        <code>Retry-After</code>, up to {span(LONGEST_WAIT_MS)}. After the last attempt the delivery has failed.
      </p>
      <p>
        After an outage, the first webhook that your endpoint accepts makes the waiting ones due: they are sent
        within {span(RECOVERY.withinMs)} instead of after their next wait. If more than{' '}
        {figure(RECOVERY.limit, 'en')} wait, the rest follow with the next webhooks that it accepts. A webhook that
        fails again keeps its own waits.
      </p>
      <TextTable
        label="States of an endpoint"
        head={['State', 'Meaning']}
        rows={ENDPOINT_STATES.map((state) => [STATE_NAMES[state], STATE_MEANINGS[state]])}
      />
      <p>
        The dashboard lists the deliveries of the last {countOfUnits(DELIVERIES_KEPT_DAYS, 'day', 'en')} with the
        response to each attempt. There you can send one again, or all since a time.
      </p>
    </Section>
    <Section id="secrets" title="Replace a secret">
      <p>
        <strong>Replace the secret</strong> in the dashboard creates a new secret. For the next{' '}
        {countOfUnits(SECRET_OVERLAP_HOURS, 'hour', 'en')}, each webhook is signed with both, so that you can
        switch without missing one: pass both to <code>verifyWebhook</code>. At most {MAX_REPLACED_SECRETS}{' '}
        replaced secrets sign beside the new one.
      </p>
    </Section>
    <WithPart docs={docs} part="retention">
      <Section id="erasure" title="Webhooks and erasure">
        <p>
          When the data of a verification is erased, you receive <code>verification.data_erased</code>: erase your
          copy too (see{' '}
          <ToGuide docs={docs} to="retention">
            Retention
          </ToGuide>
          ). Webhooks that are sent after the erasure, such as late retries, have no reason codes.
        </p>
      </Section>
    </WithPart>
  </>
);

export const webhooks: Guide = {
  slug: 'webhooks',
  title: 'Webhooks',
  summary: 'Receive a signed request when a verification changes.',
  needs: 'webhooks',
  Content,
};
