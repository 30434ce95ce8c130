import {
  ACTIVE_STATUSES,
  EXPIRE_AFTER_DAYS,
  LINK_LIFETIME_DAYS,
  type Move,
  REASON_CODES,
  STATUSES,
  type Status,
  targetOf,
} from '@countersign/domain';
import { EXPIRING_STATUSES } from '@countersign/domain/storage';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { countOfUnits, listInWords } from '../../site/formats.ts';
import { translator } from '../../site/messages.ts';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToField, ToGuide, ToOperation, WithPart } from '../links.tsx';
import { Inline, TextTable } from '../prose.tsx';

const MEANING: Readonly<Record<Status, string>> = {
  pending: 'The subject has not submitted yet.',
  submitted: 'The answers wait for a reviewer.',
  action_needed: 'A reviewer asked the subject to redo steps.',
  approved: 'Final. A reviewer approved the verification.',
  rejected: 'Final. The reason codes of the decision say why.',
};

/** The moves that change a status, and who makes them. */
const MOVES: readonly (readonly [Move, string])[] = [
  ['submit', 'the subject submits'],
  ['approve', 'a reviewer approves'],
  ['reject', 'a reviewer rejects'],
  ['askForAction', 'a reviewer asks for action'],
  ['withdraw', 'you withdraw it'],
  ['expire', 'it expires'],
];

/** Says what a status leads to: `rejected`, when you withdraw it or it expires. */
function nextOf(status: Status): string {
  const possible = MOVES.filter(([move]) => targetOf(move, status) !== null);
  const byTarget = Map.groupBy(possible, ([move]) => targetOf(move, status));
  const next = [...byTarget].map(
    ([target, moves]) =>
      `\`${target}\`, when ${listInWords(
        moves.map(([, by]) => by),
        'en',
        'disjunction',
      )}`,
  );
  return next.length === 0 ? 'Nothing.' : `${next.join('; ')}.`;
}

/** Lists the steps of a type, as the document has them. */
function stepsIn({ document }: Docs, component: string): string {
  return Object.keys(document.components.schemas[component]?.properties ?? {}).join(', ');
}

const days = (count: number): string => countOfUnits(count, 'day', 'en');

/** Statuses to choose from: `pending` or `action_needed`. */
const Either: FC<{ of: readonly string[] }> = ({ of: words }) => (
  <Inline
    text={listInWords(
      words.map((word) => `\`${word}\``),
      'en',
      'disjunction',
    )}
  />
);

const Content: FC<{ docs: Docs }> = ({ docs }) => {
  const t = translator('en');
  return (
    <>
      <Section id="steps" title="From request to decision">
        <ol>
          <li>
            You create the verification with <ToOperation docs={docs} id="createVerification" />. It is{' '}
            <code>pending</code>.
          </li>
          <li>
            You send the subject to its <ToField docs={docs} path="CreatedVerification.verificationUrl" />: by a
            button in your application, by e-mail, or as a QR code. The link works for {days(LINK_LIFETIME_DAYS)}{' '}
            unless your team, in the settings of the dashboard, or the operator of this service sets another time.
            With <ToField docs={docs} path="NewVerification.notify" /> in the creation, a service with a mail
            server e-mails the link to the subject.
          </li>
          <li>The subject answers one step after the other, on any device, and submits the answers.</li>
          <li>A reviewer approves or rejects the verification, or asks the subject to redo steps.</li>
          <li>
            You{' '}
            <WithPart docs={docs} part="webhooks">
              receive a{' '}
              <ToGuide docs={docs} to="webhooks">
                webhook
              </ToGuide>{' '}
              for each of these changes, and{' '}
            </WithPart>
            read the verification with <ToOperation docs={docs} id="getVerification" />.
          </li>
        </ol>
        <p>
          Steps of a person (<code>kyc</code>): {stepsIn(docs, 'KycSubmittedData')}. Steps of a business (
          <code>kyb</code>
          ): {stepsIn(docs, 'KybSubmittedData')}. <ToField docs={docs} path="Verification.currentStep" /> counts
          how many of them are complete, up to the first that is not.
        </p>
      </Section>
      <Section id="statuses" title="Statuses">
        <TextTable
          label="Statuses"
          head={['Status', 'Meaning', 'What comes next']}
          rows={STATUSES.map((status) => [
            <code>{status}</code>,
            MEANING[status],
            <Inline text={nextOf(status)} />,
          ])}
        />
        <p>
          A verification that is <Either of={ACTIVE_STATUSES} /> is active. A client has at most one active
          verification for a <code>subjectReference</code>. A second one is refused with{' '}
          <ToError docs={docs} code="DUPLICATE_SUBJECT_REFERENCE" />, whose <code>data</code> names the first. A
          subject who was approved or rejected can be verified again.
        </p>
      </Section>
      <Section id="action-needed" title="When a reviewer asks for action">
        <p>
          The reviewer names the steps to redo, each with a reason and often a note. Only these steps reopen. The
          subject uses the same link, which then works as long as a new one. Inform the subject, unless{' '}
          <code>notify</code> has their address: <ToOperation docs={docs} id="getVerificationDetails" /> has the
          message and the notes in <ToField docs={docs} path="VerificationDetails.actionNeeded" />.
        </p>
      </Section>
      <Section id="decision" title="The decision">
        <p>
          <ToField docs={docs} path="VerificationDetails.decision" /> in the details has the outcome, the reason
          codes and the message of the reviewer to you. The page of the subject shows only the outcome.
        </p>
        <TextTable
          label="Reason codes"
          head={['Reason code', 'Meaning']}
          rows={REASON_CODES.map((code) => [<code>{code}</code>, t(`wording:reason.${code}`)])}
        />
        <p>
          Do not show <code>suspected_fraud</code> to the subject: in many countries the law forbids this.
        </p>
      </Section>
      <Section id="files" title="Files">
        <p>
          <ToField docs={docs} path="VerificationDetails.documents" /> in the details lists the files. A file is
          listed once its step is complete. Download one with <ToOperation docs={docs} id="getVerificationFile" />,
          or all of them with the answers, the decision and the history in a zip with{' '}
          <ToOperation docs={docs} id="exportVerification" />. Both need a key with the permission <code>*</code>,
          and access to files, which an owner of your team switches on in the dashboard under{' '}
          <strong>Settings</strong>, <strong>Files</strong>; until then, the response is{' '}
          <ToError docs={docs} code="FILES_SWITCHED_OFF" />. Each download is recorded in the audit log.
        </p>
      </Section>
      <Section id="withdrawn-and-expired" title="Withdrawn and expired">
        <p>
          If you no longer need a verification, withdraw it with{' '}
          <ToOperation docs={docs} id="withdrawVerification" />. A verification that is{' '}
          <Either of={EXPIRING_STATUSES} /> expires if the subject does not submit within {days(EXPIRE_AFTER_DAYS)}{' '}
          after the end of the link. The operator can set another time, or switch expiry off.
        </p>
        <p>
          Both make it <code>rejected</code> for good, with the reason <code>withdrawn</code> or{' '}
          <code>expired</code>, and free its <code>subjectReference</code>. It still counts toward the month in
          which it was created.
        </p>
      </Section>
      <Section id="links" title="Links">
        <p>
          <code>verificationUrl</code> is in every response with a verification, and it is always the current link.
          Anyone who has it can answer as the subject: send it only to the subject, and keep it out of logs. Your
          team can renew it in the dashboard. The old link then stops working
          <WithPart docs={docs} part="webhooks">
            , and you receive the webhook <code>verification.link_renewed</code>
          </WithPart>
          .
        </p>
      </Section>
    </>
  );
};

export const lifeOfAVerification: Guide = {
  slug: 'life-of-a-verification',
  title: 'Life of a verification',
  summary: 'Statuses, steps, decisions, files and links.',
  Content,
};
