import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { type Docs, errorOf } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToGuide } from '../links.tsx';
import { Inline, json, Sample } from '../prose.tsx';

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="form" title="Form of an error">
      <p>
        Every error is JSON, even that of a download. It has <code>success: false</code>, a text for people in{' '}
        <code>error</code> and a <code>code</code> for your program. Some codes add <code>data</code>.
      </p>
      <Sample id="form.example" title="An error" text={json(errorOf(docs, 'DUPLICATE_SUBJECT_REFERENCE').value)} />
      <ul>
        <li>
          Decide by <code>code</code>. Texts may change, and newer versions may add codes: treat an unknown code by
          its status.
        </li>
        <li>
          <ToError docs={docs} code="INVALID_PARAMETERS" /> lists each invalid field in <code>data.issues</code>,
          by path, such as <code>metadata.a.0</code>.
        </li>
        <li>
          Log the header <code>X-Request-Id</code>. With it, the operator of this service finds the request in the
          log.
        </li>
      </ul>
    </Section>
    <Section id="repeat" title="What to repeat">
      <p>
        Repeat a request if no response arrived, and after <ToError docs={docs} code="REQUEST_TIMEOUT" />,{' '}
        <ToError docs={docs} code="RATE_LIMIT_EXCEEDED" /> and <ToError docs={docs} code="SERVICE_UNAVAILABLE" />.
        Wait as long as <code>Retry-After</code> says. Without this header, wait half a second and double the wait
        each time. Send creations with an{' '}
        <ToGuide docs={docs} to="idempotency">
          Idempotency-Key
        </ToGuide>
        , so that none is created twice.
      </p>
      <p>
        Any other error stays the same until you change the request, the key or the verification. Report{' '}
        <ToError docs={docs} code="INTERNAL_ERROR" /> to the operator. The TypeScript client{' '}
        <code>@countersign/client</code> repeats requests that can still succeed, and throws{' '}
        <code>CountersignApiError</code> with <code>code</code>, <code>status</code>, <code>data</code> and{' '}
        <code>requestId</code> for everything else.
      </p>
      <Sample
        id="repeat.typescript"
        title="TypeScript"
        text={`try {
  await client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_1' });
} catch (error) {
  if (!(error instanceof CountersignApiError && error.code === 'DUPLICATE_SUBJECT_REFERENCE')) throw error;
  console.log(error.data.verificationId, error.data.status);
}`}
      />
    </Section>
    <Section id="codes" title="All codes">
      <dl class="terms">
        {[...docs.errors.values()].map(({ status, code, meaning, value }) => (
          <div id={code}>
            <dt>
              <code>
                {status} {code}
              </code>
            </dt>
            <dd>
              <p>
                <Inline text={meaning} />
              </p>
              {value.data === undefined ? (
                <p class="quiet">
                  <code>error</code>: {value.error}
                </p>
              ) : (
                <details>
                  <summary>Example</summary>
                  <Sample id={`${code}.example`} title="JSON" text={json(value)} />
                </details>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  </>
);

export const errors: Guide = {
  slug: 'errors',
  title: 'Errors',
  summary: 'How errors look, which requests to repeat, and every code.',
  Content,
};
