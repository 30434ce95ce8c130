import { SANDBOX_OUTCOMES, type SandboxOutcome } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToGuide, ToOperation } from '../links.tsx';
import { Sample, Section, Table } from '../prose.tsx';

const MEANING: Readonly<Record<SandboxOutcome, string>> = {
  approved: 'The verification is submitted and approved.',
  rejected: 'The verification is submitted and rejected.',
  action_needed: 'The verification is submitted, and the subject is asked to redo a step, each time anew.',
};

const [first] = SANDBOX_OUTCOMES;

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="sandbox" title="Sandbox clients">
      <p>
        A sandbox is a client for tests, with keys, a dashboard and webhooks of its own. Its verifications can
        reach an outcome within seconds, without a subject and a reviewer. Ask the operator of this service for
        one. The dashboard says whether a client is a sandbox.
      </p>
      <p>
        Name the outcome in <code>metadata.sandboxOutcome</code> when you create the verification with{' '}
        <ToOperation docs={docs} id="createVerification" />:
      </p>
      <Sample
        id="sandbox.curl"
        title="curl"
        text={`curl -sS -X POST "$BASE/verifications" \\
  -H "${docs.keyHeader}: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"subjectType":"kyc","subjectReference":"test_1","metadata":{"sandboxOutcome":"${first}"}}'`}
      />
      <Table
        label="Sandbox outcomes"
        head={['sandboxOutcome', 'Result']}
        rows={SANDBOX_OUTCOMES.map((outcome) => [<code>{outcome}</code>, MEANING[outcome]])}
      />
      <p>
        Answers and files are made up. Statuses,{' '}
        <ToGuide docs={docs} to="webhooks">
          webhooks
        </ToGuide>{' '}
        and errors are those of every other client, and each creation counts toward the monthly limit. A
        verification without <code>sandboxOutcome</code> waits for a subject and a reviewer. You can also open the
        link and answer some steps yourself: your answers stay.
      </p>
      <p>Never use a sandbox for real subjects: anyone with its key can have a verification approved.</p>
    </Section>
    <Section id="what-to-test" title="What to test">
      <ul>
        <li>Each outcome, from the creation to its webhook.</li>
        <li>
          The same request twice, with and without an{' '}
          <ToGuide docs={docs} to="idempotency">
            Idempotency-Key
          </ToGuide>
          .
        </li>
        <li>A webhook that arrives twice, and one with a wrong signature.</li>
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
  summary: 'Have verifications decided within seconds, without a subject and a reviewer.',
  Content,
};
