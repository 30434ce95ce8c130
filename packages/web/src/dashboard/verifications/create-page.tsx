import { type CreatedVerification, type Issue, SANDBOX_OUTCOMES } from '@countersign/domain';
import { type CreateVerificationInput, createVerification, getOwnClient } from '@countersign/domain/actions';
import type { Client } from '@countersign/domain/clients';
import type { Child } from 'hono/jsx';
import type { ActionPage } from '../../actions/action-page.tsx';
import { SelectField } from '../../forms/choice-fields.tsx';
import { Field, type FieldProps } from '../../forms/draw-field.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import type { Page } from '../../site/page.ts';
import { USAGE_PATH, VERIFICATIONS_PATH, verificationPath } from '../paths.ts';
import { namesOutcome, readMetadata, withSandboxOutcome } from './metadata-text.ts';

/** What the form depends on. */
interface Subject {
  readonly client: Client;
  /** Whether the service can send the link to the subject. */
  readonly sendsMail: boolean;
}

/** Creates a verification by hand. In test mode, the form also asks for the outcome that it reaches. */
export const create: ActionPage<CreateVerificationInput, CreatedVerification, Subject> = {
  action: createVerification,
  path: '/new',
  back: { path: VERIFICATIONS_PATH, label: 'dashboard:nav.verifications' },
  load: async (context) => ({
    client: (await context.get('as').run(getOwnClient, {})).client,
    sendsMail: context.get('site').sendsMail,
  }),
  shows: ({ sendsMail }) => ['subjectType', 'subjectReference', 'metadata', ...(sendsMail ? ['email'] : [])],
  controls: { metadata: MetadataField },
  async complete(typed, values, subject) {
    const { client } = await subject();
    const outcome = client.testOf !== null ? values.text('sandboxOutcome') : '';
    // Without an outcome the text goes on as typed: serialised again, a number that JSON cannot hold would become null.
    if (outcome === '') return typed;
    const metadata = withSandboxOutcome(readMetadata(values.text('metadata')).value, outcome);
    return metadata === undefined ? typed : { ...typed, metadata: JSON.stringify(metadata) };
  },
  findings: (issues, values, page) => new Map(findingsIn(issues, values, page)),
  fieldOf: { DUPLICATE_SUBJECT_REFERENCE: 'subjectReference' },
  help({ code, data }) {
    switch (code) {
      case 'DUPLICATE_SUBJECT_REFERENCE':
        return {
          path: verificationPath(data?.verificationId ?? ''),
          label: 'dashboard:verifications.openDuplicate',
        };
      case 'NO_ACTIVE_SUBSCRIPTION':
      case 'LIMIT_EXCEEDED':
        return { path: USAGE_PATH, label: 'dashboard:verifications.toUsage' };
      default:
        return null;
    }
  },
  done: ({ id }, _context, { email }) =>
    `${verificationPath(id)}?done=${email === undefined ? 'created' : 'mailed'}`,
};

/** Draws the metadata and, in test mode, the choice of an outcome. */
function MetadataField({ subject, ...props }: FieldProps & { subject: Subject }): Child {
  const { t } = props.page;
  return (
    <>
      <Field {...props} />
      {subject.client.testOf !== null ? (
        <SelectField
          form={props.form}
          name="sandboxOutcome"
          label={t('dashboard:verifications.testOutcome.label')}
          hint={t('dashboard:verifications.testOutcome.hint')}
          optional
          choices={SANDBOX_OUTCOMES.map((value) => ({ value, label: t(`wording:statusShort.${value}`) }))}
        />
      ) : null}
    </>
  );
}

/** Explains what is wrong with the metadata, and where. */
function findingsIn(issues: readonly Issue[], values: FormValues, { t }: Page): [field: string, text: string][] {
  const { value, fault } = readMetadata(values.text('metadata'));
  if (fault === 'not_an_object') return [['metadata', t('dashboard:verifications.metadata.notAnObject')]];
  if (fault !== null) {
    const { line, column, atEnd } = fault;
    const text = atEnd ? 'dashboard:verifications.metadata.endsEarly' : 'dashboard:verifications.metadata.badJson';
    return [['metadata', t(text, { line, column })]];
  }
  const at = issues.find(({ path }) => path.startsWith('metadata.'))?.path.slice('metadata.'.length);
  if (at === undefined) return [];
  if (at !== 'sandboxOutcome') return [['metadata', t('dashboard:verifications.metadata.badAt', { path: at })]];
  return values.text('sandboxOutcome') !== '' && namesOutcome(value)
    ? [['sandboxOutcome', t('dashboard:verifications.testOutcome.twice')]]
    : [['metadata', t('dashboard:verifications.metadata.badOutcome')]];
}
