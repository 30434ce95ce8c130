import { SANDBOX_OUTCOMES, type SandboxOutcome } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToGuide, ToOperation, WithPart } from '../links.tsx';
import { Sample, TextTable } from '../prose.tsx';

const MEANING: Readonly<Record<SandboxOutcome, string>> = {
  approved: 'The verification is submitted and approved.',
  rejected: 'The verification is submitted and rejected.',
  action_needed:
    'The verification is submitted, and the subject is asked to redo a step, again after each submission.',
};

const [first] = SANDBOX_OUTCOMES;

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="separate" title="Separate from live mode">
      <p>
        Every client has a test mode, with keys
        {docs.parts.has('webhooks') ? ', verifications and webhooks' : ' and verifications'} of its own. Switch to{' '}
        <strong>Test mode</strong> in the dashboard, and create a key there. Keys of both modes look alike. Every
        response to a valid key has the header <code>X-Countersign-Mode</code>, which is <code>test</code> or{' '}
        <code>live</code>.
      </p>
      <p>
        Test mode needs no subscription and has no monthly limit. Its rate limit is that of the Standard plan,
        counted separately. Team{docs.parts.has('appearances') ? ', appearance' : ''}
        {docs.parts.has('retention') ? ', retention' : ''} and access to files are the same in both modes; return
        addresses are set for each. E-mail to subjects is sent only to addresses of users in your team.
      </p>
    </Section>
    <Section id="outcomes" title="Choose the outcome">
      <p>
        Set <code>metadata.sandboxOutcome</code> when you create the verification with{' '}
        <ToOperation docs={docs} id="createVerification" />. The verification reaches this outcome within seconds,
        without a subject or a reviewer:
      </p>
      <Sample
        id="sandbox.curl"
        title="curl"
        text={`curl -sS -X POST "$BASE/verifications" \\
  -H "${docs.keyHeader}: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"subjectType":"kyc","subjectReference":"test_1","metadata":{"sandboxOutcome":"${first}"}}'`}
      />
      <TextTable
        label="Sandbox outcomes"
        head={['sandboxOutcome', 'Result']}
        rows={SANDBOX_OUTCOMES.map((outcome) => [<code>{outcome}</code>, MEANING[outcome]])}
      />
      <p>
        Answers and files are made up. Statuses
        <WithPart docs={docs} part="webhooks">
          ,{' '}
          <ToGuide docs={docs} to="webhooks">
            webhooks
          </ToGuide>
        </WithPart>{' '}
        and errors are those of live mode. A verification without <code>sandboxOutcome</code> waits for a subject
        and a reviewer. You can also open the link and answer some steps yourself: your answers are kept.
      </p>
      <p>
        With a key of live mode, <code>sandboxOutcome</code> is metadata like any other. The creation succeeds, and
        its <code>message</code> says that the outcome has no effect.
      </p>
      <p>Never use test mode for real subjects: anyone with a key can have a verification approved.</p>
    </Section>
    <Section id="what-to-test" title="What to test">
      <p>
        <ToGuide docs={docs} to="your-tests">
          Countersign in your tests
        </ToGuide>{' '}
        shows how to use test mode in CI.
      </p>
      <ul>
        <li>
          Each outcome
          <WithPart docs={docs} part="webhooks">
            , from the creation to its webhook
          </WithPart>
          .
        </li>
        <li>
          The same request twice, with and without an{' '}
          <ToGuide docs={docs} to="idempotency">
            Idempotency-Key
          </ToGuide>
          .
        </li>
        <WithPart docs={docs} part="webhooks">
          <li>A webhook that arrives twice, and one with a wrong signature.</li>
        </WithPart>
        <li>
          A key that was revoked, and a request above the{' '}
          <ToGuide docs={docs} to="limits">
            limit
          </ToGuide>
          .
        </li>
      </ul>
    </Section>
  </>
);

export const testMode: Guide = {
  slug: 'test-mode',
  title: 'Test mode',
  summary: 'Have verifications decided within seconds, without a subject or a reviewer.',
  Content,
};
