import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { type Docs, operationOf } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToGuide, ToOperation, WithPart } from '../links.tsx';
import { TextTable } from '../prose.tsx';
import { boundsOf } from '../schema-words.ts';

const HEADER = 'Idempotency-Key';

const Content: FC<{ docs: Docs }> = ({ docs }) => {
  const create = operationOf(docs, 'createVerification');
  const parameter = create.parameters?.find(({ name }) => name === HEADER);
  const length = boundsOf(parameter?.schema ?? {})[0];
  return (
    <>
      <Section id="creations" title="Repeat a creation">
        <p>
          A response can get lost on its way to you. Send <ToOperation docs={docs} id="createVerification" /> with
          the header <code>{HEADER}</code>, and you can send the same request again until a response arrives. The
          service creates and counts one verification.
        </p>
        <p>
          Choose a key that identifies the creation, such as an order number, or a random UUID that you store
          before the first attempt. A key has {length}, all of them printable ASCII.
        </p>
        <TextTable
          label="Responses to a repeated key"
          head={['Request', 'Response']}
          rows={[
            [
              'Same key, same body',
              <>
                The first response again, with the header <code>Idempotent-Replayed: true</code>. Nothing is
                created or counted, even if the monthly limit has been reached since.
              </>,
            ],
            [
              'Same key, another body',
              <>
                <ToError docs={docs} code="IDEMPOTENCY_KEY_REUSED" />. Nothing is created.
              </>,
            ],
            [
              'Same key, two requests at once',
              'One creates the verification, and the other gets the same response.',
            ],
            ['The first request was refused', 'The key is still unused: fix the request and send it again.'],
          ]}
        />
        <p>
          Keys belong to your client, whichever API key sends them, and do not expire.
          <WithPart docs={docs} part="retention">
            {' '}
            The{' '}
            <ToGuide docs={docs} to="retention">
              erasure
            </ToGuide>{' '}
            of a verification's data also erases its key.
          </WithPart>
        </p>
        <p>
          <code>@countersign/client</code> sends a new UUID with every creation and keeps it for its own
          repetitions. Pass <code>idempotencyKey</code> if a restart of your program may repeat the creation.
        </p>
      </Section>
      <Section id="other-operations" title="Other operations">
        <p>
          All other operations can be repeated without a key: reading changes nothing, and{' '}
          {docs.parts.has('retention') ? (
            <>
              <ToOperation docs={docs} id="withdrawVerification" />,{' '}
              <ToOperation docs={docs} id="endRelationship" /> and{' '}
              <ToOperation docs={docs} id="eraseVerificationData" /> lead
            </>
          ) : (
            <>
              <ToOperation docs={docs} id="withdrawVerification" /> leads
            </>
          )}{' '}
          to the same state each time.
        </p>
      </Section>
    </>
  );
};

export const idempotency: Guide = {
  slug: 'idempotency',
  title: 'Idempotency',
  summary: 'Repeat requests without creating anything twice.',
  Content,
};
