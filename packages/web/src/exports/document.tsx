import { systemReasonOf } from '@countersign/domain';
import { DATA_FILE, type ExportedFile, type PersonalData } from '@countersign/domain/exports';
import type { Flow } from '@countersign/domain/flows';
import { html } from 'hono/html';
import type { FC } from 'hono/jsx';
import { Facts, Section } from '../parts/page-parts.tsx';
import { utcDayInWords } from '../site/days.ts';
import { languageInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { AskedItems, DecisionInWords, Message } from '../staff/reasons.tsx';
import { statusChangeText } from '../staff/status-change.ts';
import { Answers } from './document-answers.tsx';
import { Readings } from './document-readings.tsx';
import { DOCUMENT_STYLE } from './document-style.ts';
import { FileFacts, FileLine } from './file-link.tsx';

/** What each part of the document needs. */
export interface DocumentProps {
  readonly data: PersonalData;
  /** Files of the data that could not be read, so that they are not beside the document. */
  readonly unreadable?: readonly ExportedFile[];
  /** The flow that the verification began with. */
  readonly flow: Flow;
  readonly page: Page;
}

/** Allows the style in the document and nothing else, should a text ever be taken for markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Writes a person's data as a page to keep: it needs no network, script or other file, and links to the files beside it. */
export async function personalDocument({ data, unreadable = [], flow, page }: DocumentProps): Promise<string> {
  const { t, language } = page;
  const title = `${t('exports:document.title')} – ${data.clientName}`;
  const document = await html`<!doctype html>
${(
  <html lang={language}>
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={POLICY} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <meta name="format-detection" content="telephone=no" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: DOCUMENT_STYLE }} />
    </head>
    <body>
      <main>
        <Intro data={data} page={page} />
        <VerificationFacts data={data} page={page} />
        <Answers data={data} unreadable={unreadable} flow={flow} page={page} />
        <Uploads data={data} unreadable={unreadable} page={page} />
        <Readings data={data} flow={flow} page={page} />
        <Review data={data} page={page} />
        <EarlierRequests data={data} page={page} />
        <History data={data} page={page} />
        {data.retention === null ? null : <Retention retention={data.retention} page={page} />}
        <Section id="why" title={t('verify:consent.why.title')}>
          <p>{t(`verify:consent.why.${data.verification.type}`, { client: data.clientName })}</p>
        </Section>
        <Section id="comparisons" title={t('exports:document.comparisons.title')}>
          <p>{t('exports:document.comparisons.text', { client: data.clientName })}</p>
        </Section>
        <Section id="rights" title={t('exports:document.rights.title')}>
          <p>{t('exports:document.rights.text', { client: data.clientName })}</p>
        </Section>
      </main>
    </body>
  </html>
)}
`;
  return document.toString();
}

type PartProps = Omit<DocumentProps, 'flow' | 'unreadable'>;

const Intro: FC<PartProps> = ({ data: { clientName, exportedAt }, page, page: { t } }) => (
  <header>
    <h1>{t('exports:document.title')}</h1>
    <p class="lead">
      {t('exports:document.lead', { client: clientName, moment: utcDayInWords(exportedAt, page) })}
    </p>
    <p>
      {t('exports:document.machine')} <a href={DATA_FILE}>{DATA_FILE}</a>
    </p>
    <p class="quiet">{t('exports:document.leftOut')}</p>
  </header>
);

/** Facts of the verification and what its client added. */
const VerificationFacts: FC<PartProps> = ({ data, page }) => {
  const { t, language } = page;
  const {
    verification,
    clientName,
    submittedAt,
    relationshipEndedAt,
    erasureRequestedAt,
    idempotencyKey,
    notify,
  } = data;
  const { id, type, status, subjectReference, requestedAt, resolvedAt, locale, returnUrl, metadata } =
    verification;
  const text = (name: FactName, value: string | null | undefined) =>
    value === null || value === undefined
      ? null
      : ([t(`exports:document.verification.${name}`), <bdi class="as-typed">{value}</bdi>] as const);
  const moment = (name: FactName, at: Date | null) =>
    at === null ? null : ([t(`exports:document.verification.${name}`), <Day at={at} page={page} />] as const);
  return (
    <Section id="verification" title={t('exports:document.verification.title')}>
      <Facts
        items={[
          text('client', clientName),
          text('type', t(`wording:type.${type}`)),
          text('status', t(`wording:statusShort.${status}`)),
          text('subjectReference', subjectReference),
          text('id', id),
          moment('requestedAt', requestedAt),
          moment('submittedAt', submittedAt),
          moment('resolvedAt', resolvedAt),
          moment('relationshipEndedAt', relationshipEndedAt),
          moment('erasureRequestedAt', erasureRequestedAt),
          text('locale', locale === undefined ? locale : languageInWords(locale, language)),
          text('returnUrl', returnUrl),
          text('idempotencyKey', idempotencyKey),
          text('notify', notify?.email),
        ]}
      />
      {Object.keys(metadata).length === 0 ? null : (
        <>
          <h3>{t('exports:document.verification.metadata')}</h3>
          <pre>{JSON.stringify(metadata, null, 2)}</pre>
        </>
      )}
    </Section>
  );
};

type FactName =
  | 'client'
  | 'type'
  | 'status'
  | 'subjectReference'
  | 'id'
  | 'requestedAt'
  | 'submittedAt'
  | 'resolvedAt'
  | 'relationshipEndedAt'
  | 'erasureRequestedAt'
  | 'locale'
  | 'returnUrl'
  | 'idempotencyKey'
  | 'notify';

const Uploads: FC<Omit<Required<DocumentProps>, 'flow'>> = ({ data: { files, clientName }, unreadable, page }) => {
  const { t } = page;
  const present = files.filter((file) => !unreadable.includes(file));
  return (
    <Section id="files" title={t('exports:document.uploads.title')}>
      {present.length === 0 ? (
        <p class="quiet">{t('exports:document.uploads.none')}</p>
      ) : (
        <ul>
          {present.map((file) => (
            <li>
              <FileLine file={file} page={page} />
            </li>
          ))}
        </ul>
      )}
      {unreadable.length === 0 ? null : (
        <div id="missing-files">
          <h3>{t('exports:document.uploads.missing.title')}</h3>
          <p>{t('exports:document.uploads.missing.text', { client: clientName })}</p>
          <ul>
            {unreadable.map((file) => (
              <li>
                {t(`wording:kind.${file.kind}`)} <FileFacts file={file} page={page} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
};

/** What a reviewer asked for, or the decision. */
const Review: FC<PartProps> = ({ data: { verification }, page }) => {
  const { actionNeeded, decision } = verification;
  if (decision !== null) return <DecisionInWords decision={decision} page={page} />;
  return actionNeeded === null ? null : (
    <Section id="request" title={page.t('exports:document.request')}>
      <AskedItems items={actionNeeded.items} page={page} />
      <Message label={page.t('wording:case.message')} text={actionNeeded.message} />
    </Section>
  );
};

/** Requests for action that were answered, oldest first. The open one is shown with its message. */
const EarlierRequests: FC<PartProps> = ({ data: { verification, requestsForAction }, page }) => {
  const earlier = verification.actionNeeded === null ? requestsForAction : requestsForAction.slice(0, -1);
  return earlier.length === 0 ? null : (
    <Section id="earlier-requests" title={page.t('exports:document.earlierRequests')}>
      {earlier.map(({ requestedAt, items }) => (
        <>
          <h3>
            <Day at={requestedAt} page={page} />
          </h3>
          <AskedItems items={items.map((item) => ({ ...item, note: null }))} page={page} />
        </>
      ))}
    </Section>
  );
};

/** The changes of status, oldest first. */
const History: FC<PartProps> = ({ data: { verification, clientName }, page }) => {
  const { t } = page;
  const { history, decision } = verification;
  const endedBy = (decision === null ? undefined : systemReasonOf(decision)) ?? null;
  const who = (actor: (typeof history)[number]['actor']) =>
    actor === 'client'
      ? clientName
      : actor === 'subject'
        ? t('exports:document.history.you')
        : t(`wording:actor.${actor}`);
  return (
    <Section id="history" title={t('exports:document.history.title')}>
      <ul>
        {history.map((entry) => (
          <li>
            <Day at={entry.at} page={page} />
            {': '}
            {t('wording:event.by', { what: t(statusChangeText(entry, endedBy)), who: who(entry.actor) })}
          </li>
        ))}
      </ul>
    </Section>
  );
};

const Retention: FC<{ retention: NonNullable<PersonalData['retention']>; page: Page }> = ({ retention, page }) => {
  const { until, rule } = retention;
  const { t } = page;
  return (
    <Section id="retention" title={t('exports:document.retention.title')}>
      {rule === null ? (
        <p>{t('exports:document.retention.open')}</p>
      ) : until === null ? (
        <p>{t('exports:document.retention.ended')}</p>
      ) : (
        <>
          <p>{t('exports:document.retention.until', { moment: utcDayInWords(until, page) })}</p>
          <p>{t(`exports:document.retention.rule.${rule}`)}</p>
        </>
      )}
    </Section>
  );
};

/** A moment as its day: the time zone of the person is unknown, and the data beside the document has the exact time. */
const Day: FC<{ at: Date; page: Page }> = ({ at, page }) => (
  <time datetime={at.toISOString()}>{utcDayInWords(at, page)}</time>
);
