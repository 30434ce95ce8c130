import {
  DATA_STATES,
  type DataStateName,
  DEFAULT_RETENTION,
  erasedReference,
  type RetentionPeriod,
} from '@countersign/domain/retention';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { periodInWords } from '../../site/formats.ts';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToField, ToOperation, WithPart } from '../links.tsx';
import { TextTable } from '../prose.tsx';

const MEANING: Readonly<Record<DataStateName, readonly [meaning: string, until: string]>> = {
  kept: ['The data can be read.', 'When it is erased; null while the verification is open.'],
  restricted: [
    'Its erasure was requested, and the law still requires it to be kept. The API and the dashboard show no answers, files or metadata.',
    'When it is erased.',
  ],
  held: [
    'A hold prevents the erasure, for example because of a lawsuit.',
    'When the hold ends; null if it has no end.',
  ],
  erased: ['The data is gone.', 'Always null.'],
};

const PERIODS: Readonly<Record<RetentionPeriod, string>> = {
  approvedAfterEnd: 'Approved, from the end of your relationship with the subject',
  approvedLongest: 'Approved, at most, from the decision',
  rejected: 'Rejected by a reviewer, from the decision',
  unfinished: 'Withdrawn or expired, from that moment',
  replacedUploads: 'A file that the subject replaced, from its replacement',
};

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="periods" title="How long data is kept">
      <p>
        Answers, files and metadata are kept as long as the law requires, then erased. The operator of this service
        sets the periods; owners of your team see those of your client in the dashboard under{' '}
        <strong>Settings</strong>, <strong>Retention</strong>. The default:
      </p>
      <TextTable
        label="Periods"
        head={['Data of a verification', 'Kept for']}
        rows={Object.entries(PERIODS).map(([period, what]) => [
          what,
          periodInWords(DEFAULT_RETENTION[period as RetentionPeriod], 'en'),
        ])}
      />
    </Section>
    <Section id="states" title="State of the data">
      <p>
        <ToField docs={docs} path="VerificationDetails.data" /> in the details of a verification has the state of
        its data and the end of this state.
      </p>
      <TextTable
        label="States of the data"
        head={['State', 'Meaning', 'until']}
        rows={DATA_STATES.toReversed().map((state) => [<code>{state}</code>, ...MEANING[state]])}
      />
    </Section>
    <Section id="end" title="Report the end of a relationship">
      <p>
        When a customer leaves you, send <ToOperation docs={docs} id="endRelationship" />. The period of an
        approved verification begins then, so its data is not kept longer than necessary. You can correct the time,
        or remove it with <code>null</code>.
      </p>
    </Section>
    <Section id="erase" title="Erase data on request">
      <p>
        <ToOperation docs={docs} id="eraseVerificationData" /> hides the data immediately and erases it as soon as
        the law and holds allow it: <code>state</code> and <code>until</code> of the response say when. It cannot
        be undone. The key needs the permission <code>*</code>.
      </p>
      <p>
        The verification keeps its id, type, status and times, and still counts. <code>subjectReference</code>{' '}
        becomes <code>{erasedReference('{id}')}</code>: store the id if you need to find the verification later.
        For an open verification, the response is <ToError docs={docs} code="ILLEGAL_TRANSITION" />, unless you
        withdraw it in the same request with <code>?withdraw=true</code>. A submitted verification cannot be
        withdrawn: wait for the decision.
      </p>
      <WithPart docs={docs} part="webhooks">
        <p>
          The webhooks <code>verification.data_restricted</code> and <code>verification.data_erased</code> inform
          your other systems. Erase the copies there too.
        </p>
      </WithPart>
    </Section>
    <Section id="references" title="Keep personal data out of other fields">
      <p>
        <code>subjectReference</code>, <code>returnUrl</code> and <code>Idempotency-Key</code> are stored as plain
        text. Use ids of your system in them, not names or e-mail addresses.
      </p>
    </Section>
  </>
);

export const retention: Guide = {
  slug: 'retention',
  title: 'Retention',
  summary: 'How long data is kept, and how to erase it.',
  needs: 'retention',
  Content,
};
