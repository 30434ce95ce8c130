import {
  type Issue,
  invalidParameters,
  isCountersignError,
  type JsonObject,
  type ReadingOffers,
} from '@countersign/domain';
import {
  answersSoFar,
  isDrafted,
  type PlacedField,
  type PlannedPart,
  type PlannedScreen,
  placedFields,
  withValueAt,
} from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { withAbsenceIssues, withAbsences } from '../forms/absent-fields.ts';
import { decidesAddress, inFormOrder } from '../forms/arranged-fields.ts';
import { CountryList } from '../forms/country-field.tsx';
import { withCountryIssues } from '../forms/country-issues.ts';
import { EnterButton, FieldSet } from '../forms/draw-field.tsx';
import {
  changedForm,
  FORM_BUTTON,
  filledButAbsent,
  fillFields,
  READ_BUTTON,
  readFields,
  sameOrOther,
} from '../forms/form-answers.ts';
import { type FormState, formState, type ReadValue } from '../forms/form-state.ts';
import { createFormValues, type FormValues, readForm } from '../forms/form-values.ts';
import { issueMessages } from '../forms/issue-messages.ts';
import { type KeptForm, statusOfKept } from '../forms/kept-form.ts';
import { hasMessage } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { PartAnswers } from './answer-list.tsx';
import { withDrawings } from './choice-drawings.tsx';
import { ConsentSummary, consentVersion } from './consent-text.tsx';
import { answerFlowPage, PageForm } from './flow-frame.tsx';
import { pageTitle, screenTexts } from './flow-texts.ts';
import { keep, takeKept } from './kept.ts';
import { askedParts, openScreen, pagesNeeded } from './navigation.ts';
import { proposedCountry, proposedFields } from './proposed-country.ts';
import { FillIn, isForForm, ReadingWait, readIn, withRead } from './reading.tsx';
import { saveScreen } from './save-page.ts';
import { pictureToCopy } from './sent-picture.tsx';
import { shownIn, type VerifyEnv } from './session.ts';
import { refuseKeptFile } from './upload/upload-page.tsx';

/** Shows a screen with what was sent and refused just now, otherwise with the answers so far. */
export async function showFormPage(
  context: Context<VerifyEnv>,
  site: Site,
  screen: PlannedScreen,
): Promise<Response> {
  const kept = takeKept(context, site);
  const offers = await offersOn(context, site, screen);
  if (kept !== null) return answerForm(context, screen, { ...kept, offers });
  if (offers?.state === 'awaited' && !isForForm(context)) return answerWait(context, screen);
  const shown = answersShown(context, screen);
  if (offers === null) return answerForm(context, screen, shown);
  const values = withRead(fieldsOf(screen), shown.values, offers);
  return answerForm(context, screen, { ...shown, values, offers });
}

/** Returns what was read for the fields of a screen that comes after pictures of the document; null if nothing is offered. */
async function offersOn(
  context: Context<VerifyEnv>,
  { options }: Site,
  screen: PlannedScreen,
): Promise<ReadingOffers | null> {
  if (picturesBefore(context, screen).length === 0) return null;
  return options.countersign.readings.offersFor(context.get('verification'), askedParts(screen));
}

/** Returns what was read for the fields of a screen, beside the answers so far, by path. */
export async function readOn(
  context: Context<VerifyEnv>,
  site: Site,
  screen: PlannedScreen,
): Promise<ReadonlyMap<string, ReadValue>> {
  const offers = await offersOn(context, site, screen);
  return offers === null ? new Map() : readIn(fieldsOf(screen), valuesOf(context, screen), offers);
}

function fieldsOf(screen: PlannedScreen): readonly PlacedField[] {
  return askedParts(screen).flatMap((part) => part.fields);
}

/** Shows the pictures while they are read. */
function answerWait(context: Context<VerifyEnv>, screen: PlannedScreen): Promise<Response> {
  const { slug } = screen;
  const parts = askedParts(screen);
  const steps = parts.map(({ step }) => step);
  const title = pageTitle(context.get('page').t, slug);
  return answerFlowPage(
    context,
    { title, steps, parts, slug, scripts: ['reading.js'] },
    <>
      <PicturesBefore context={context} screen={screen} />
      <ReadingWait context={context} slug={slug} />
    </>,
  );
}

/** Returns the answers so far to the parts of a screen that are asked, with proposals for what was not answered. */
function answersShown(context: Context<VerifyEnv>, screen: PlannedScreen): ShownForm {
  const values = valuesOf(context, screen);
  const fields = fieldsOf(screen);
  const open = proposedFields(fields).filter((name) => values.text(name) === '');
  const country = open.length === 0 ? null : proposedCountry(context);
  if (country === null) return { values };
  const proposals = open.map((name): [string, string] => [name, country]);
  return { values: createFormValues([...values.entries, ...proposals]), proposed: new Set(open) };
}

function valuesOf(context: Context<VerifyEnv>, screen: PlannedScreen): FormValues {
  const verification = context.get('verification');
  const { steps, drafts } = verification;
  const entries = askedParts(screen).flatMap((part) => {
    const isAnswered = steps[part.step] !== undefined || isDrafted(part, drafts[part.step]);
    return fillFields(part.fields, answersSoFar(verification, part.step), isAnswered).entries;
  });
  return createFormValues(entries);
}

/** Saves a submitted screen and continues, or shows the screen again with messages. */
export async function takeFormPage(
  context: Context<VerifyEnv>,
  site: Site,
  screen: PlannedScreen,
): Promise<Response> {
  const values = await readForm(context);
  const changed = changedForm(values);
  if (changed !== null) {
    const isRead = values.text(FORM_BUTTON) === READ_BUTTON;
    const offers = isRead ? await offersOn(context, site, screen) : null;
    const filled = offers === null ? changed : withRead(fieldsOf(screen), changed, offers);
    return answerAgain(context, site, screen, { values: filled, errors: new Map() });
  }

  const page = context.get('page');
  const { language, t } = page;
  const { type } = context.get('verification');
  const version = consentVersion(type, page);
  const parts = drawnParts(context, screen);
  const fields = parts.flatMap((part) => part.fields);
  const input = readFields(fields, values);
  const filled = filledButAbsent(fields, values);
  try {
    requireChoices(fields, values, filled);
    return await saveScreen(context, site, screen, withPageValues(fields, input, { language, version }));
  } catch (error) {
    if (isCountersignError(error, 'FILE_UNCHANGED')) return refuseKeptFile(context, site);
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    const shown = parts.flatMap((part) => inFormOrder(part.fields, values));
    const named = withCountryIssues(context.get('page'), screenTexts(t, parts, type, values), input);
    const texts = withAbsenceIssues(context.get('page'), named, filled);
    const errors = issueMessages(texts, shown, error.data?.issues ?? []);
    // What was read has no values of fields that are left out.
    const shownAgain = filled.length > 0 ? values : withoutEmptyRows(fields, values, input);
    return answerAgain(context, site, screen, { values: shownAgain, errors });
  }
}

/** Returns the parts of a screen that are asked. A field offers to be left out only where the answers so far allow it. */
function drawnParts(context: Context<VerifyEnv>, screen: PlannedScreen): readonly PlannedPart[] {
  const verification = context.get('verification');
  return askedParts(screen).map((part) => {
    const answers = answersSoFar(verification, part.step);
    return { ...part, fields: withAbsences(part.fields, answers) };
  });
}

/** Adds the values that the page supplies: the language and the version of the text that was shown. */
function withPageValues(
  fields: readonly PlacedField[],
  input: JsonObject,
  { language, version }: { readonly language: string; readonly version: string },
): JsonObject {
  return fields
    .filter(({ field }) => field.by === 'page')
    .reduce(
      (answers, { path, field }) => withValueAt(answers, path, field.kind === 'language' ? language : version),
      input,
    );
}

/**
 * Requires the choices that are not answers: "the same or another?", and to fill in a field or to leave it out, not both.
 * @param filled the fields with both
 */
function requireChoices(fields: readonly PlacedField[], values: FormValues, filled: readonly string[]): void {
  const open = fields
    .filter(({ field }) => field.kind === 'group' && field.sameAs !== undefined)
    .filter(({ path }) => !/^(same|other)$/.test(values.text(sameOrOther(path))))
    .map(({ path }): Issue => ({ path, message: 'is required', code: 'required' }));
  const both = filled.map((path): Issue => ({ path, message: 'must be left out or filled in', code: 'invalid' }));
  if (open.length + both.length > 0) throw invalidParameters([...open, ...both]);
}

/** Empty rows are dropped, so that each message stands at the row it is about. */
function withoutEmptyRows(fields: readonly PlacedField[], values: FormValues, input: JsonObject): FormValues {
  return hasRows(fields) ? fillFields(fields, input, true) : values;
}

function hasRows(fields: readonly PlacedField[]): boolean {
  return fields.some(
    ({ field }) => field.kind === 'rows' || (field.kind === 'list' && field.each.kind === 'country'),
  );
}

async function answerAgain(
  context: Context<VerifyEnv>,
  site: Site,
  screen: PlannedScreen,
  form: KeptForm,
): Promise<Response> {
  const kept = keep(context, site, form);
  return kept ?? answerForm(context, screen, { ...form, offers: await offersOn(context, site, screen) });
}

interface ShownForm {
  readonly values: FormValues;
  readonly errors?: ReadonlyMap<string, string>;
  /** Names of the fields whose values are proposed. */
  readonly proposed?: ReadonlySet<string>;
  /** What was read from the pictures of the document. */
  readonly offers?: ReadingOffers | null;
}

async function answerForm(
  context: Context<VerifyEnv>,
  screen: PlannedScreen,
  shown: ShownForm,
): Promise<Response> {
  const { t } = context.get('page');
  const { slug } = screen;
  const parts = askedParts(screen);
  const steps = parts.map(({ step }) => step);
  const errors = shown.errors ?? new Map();
  const status = statusOfKept(context, errors.size > 0 ? 422 : 200);
  const scripts = [...scriptsOf(screen), ...(shown.offers?.state === 'late' ? ['reading.js'] : [])];
  const content = await formOf(context, screen, shown);
  return answerFlowPage(
    context,
    {
      title: isRead(shown) ? t('verify:reading.title') : pageTitle(t, slug),
      steps,
      parts,
      slug,
      errors,
      status,
      scripts,
    },
    content,
  );
}

/** Whether something was read for the fields of the form. */
function isRead({ offers }: ShownForm): boolean {
  return (offers?.values.size ?? 0) > 0;
}

/** Lists the scripts of a screen's form. */
export function scriptsOf(screen: PlannedScreen): readonly string[] {
  return askedParts(screen).some(({ fields }) => isChangeable(fields)) ? ['htmx.js'] : [];
}

/** Whether a form has buttons that change it. */
function isChangeable(fields: readonly PlacedField[]): boolean {
  return hasRows(fields) || within(fields).some(({ field }) => decidesAddress(field));
}

function hasCountry(fields: readonly PlacedField[]): boolean {
  return within(fields).some(
    ({ field }) => field.kind === 'country' || (field.kind === 'list' && field.each.kind === 'country'),
  );
}

/** Lists fields, each followed by those within it. */
function within(fields: readonly PlacedField[]): readonly PlacedField[] {
  return fields.flatMap((placed) => [
    placed,
    ...('fields' in placed.field ? placedFields(placed.field.fields, placed.path) : []),
  ]);
}

/** Whether a screen asks for consent. Only the consent has values that the page supplies: the version of its text and the language. */
export function isConsent(screen: PlannedScreen): boolean {
  return askedParts(screen).some(({ fields }) => fields.some(({ field }) => field.by === 'page'));
}

/** Draws the form of a screen, with its texts. It posts to the screen's address. */
export async function formOf(
  context: Context<VerifyEnv>,
  screen: PlannedScreen,
  shown: ShownForm = answersShown(context, screen),
): Promise<Child> {
  const words = context.get('page');
  const { t } = words;
  const { type } = context.get('verification');
  const fields = fieldsOf(screen);
  const { offers } = shown;
  const read = offers ? readIn(fields, shown.values, offers) : undefined;
  const form = { ...formState(t, shown.values, shown.errors), proposed: shown.proposed, read };
  const text = isRead(shown) ? 'verify:reading.text' : `verify:pages.${screen.slug}.text`;
  const consents = isConsent(screen);
  return (
    <>
      {consents ? (
        <ConsentSummary page={words} type={type} appearance={(await words.appearance?.()) ?? null} />
      ) : null}
      {hasMessage(text) ? <p>{t(text)}</p> : null}
      <PicturesBefore context={context} screen={screen} />
      <PageForm context={context} slug={screen.slug}>
        <EnterButton label={t('site:continue')} />
        {offers ? <FillIn page={words} fields={fields} values={shown.values} offers={offers} /> : null}
        <Parts context={context} screen={screen} form={form} />
        {hasCountry(fields) ? <CountryList language={words.language} /> : null}
        <div class="next">
          <button type="submit">{consents ? t('verify:consent.agree') : t('site:continue')}</button>
        </div>
      </PageForm>
    </>
  );
}

/** Draws the pictures that were taken on earlier screens of the same steps, to copy from. */
function picturesBefore(context: Context<VerifyEnv>, screen: PlannedScreen): readonly Child[] {
  const shown = shownIn(context);
  const { verification } = shown;
  const page = context.get('page');
  return askedParts(screen).flatMap(({ step }) => {
    const pages = pagesNeeded(shown, step);
    const here = pages.findIndex(({ screen: slug }) => slug === screen.slug);
    // Files of a closed screen are not shown to the subject.
    const before = pages.slice(0, here).filter(({ screen: slug }) => openScreen(shown, slug) !== null);
    const answers = answersSoFar(verification, step);
    return before.flatMap(({ part }) => pictureToCopy({ page, verification, part, answers }) ?? []);
  });
}

const PicturesBefore: FC<{ context: Context<VerifyEnv>; screen: PlannedScreen }> = ({ context, screen }) => {
  const pictures = picturesBefore(context, screen);
  return pictures.length === 0 ? null : <div class="pictures-before">{pictures}</div>;
};

/** Draws the fields of the parts that are asked, and the answers of the others. Parts of several have headings. */
const Parts: FC<{ context: Context<VerifyEnv>; screen: PlannedScreen; form: FormState }> = (props) => {
  const { context, screen, form } = props;
  const words = context.get('page');
  const verification = context.get('verification');
  const drawn = drawnParts(context, screen);
  const texts = withDrawings(words, screenTexts(words.t, drawn, verification.type, form.values));
  const hasNone = drawn.some(({ fields }) =>
    fields.some(({ path, field }) => field.kind === 'statement' && form.values.text(path) === 'true'),
  );
  return (
    <>
      {screen.parts.map((part, index) => {
        const asked = drawn.find(({ step, slug }) => step === part.step && slug === part.slug);
        return (
          <>
            {index === 0 ? null : <h2>{pageTitle(words.t, part.slug)}</h2>}
            {asked === undefined ? (
              <PartAnswers page={words} verification={verification} part={part} withFiles={false} />
            ) : (
              <FieldSet page={words} form={form} texts={texts} fields={asked.fields} hasNone={hasNone} />
            )}
          </>
        );
      })}
    </>
  );
};
