import type { EvidenceKind } from '../../evidence/evidence-file.ts';
import type { Field } from '../../fields/field.ts';
import { valueAt } from '../../fields/paths.ts';
import { placedFields } from '../../fields/placed-fields.ts';
import type { ReadField } from '../../fields/read-fields.ts';
import type { JsonObject } from '../../input/json.ts';
import type { DocumentReading, ReadValue } from '../../reading/document-reading.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import { answersSoFar } from '../answers-so-far.ts';
import { currentUses, type FileUse, usesIn } from '../file-uses.ts';
import { type StepKey, stepOf, stepsOf } from '../flow.ts';
import { ZONE_PICTURES } from '../steps/shared-fields.ts';
import { usableFiles, type Verification } from '../verification.ts';

/** A value with the reading that has it. */
export interface FoundValue extends ReadValue {
  readonly readAt: Date;
  /** Whether the subject was offered it. */
  readonly isOffered: boolean;
}

/** What all pictures of the flow's document say together. */
export interface ReadDocument extends Pick<DocumentReading, 'type'> {
  readonly fields: { readonly [F in ReadField]?: FoundValue };
  /** Whether pictures are sure of different values: they show different documents, and no value is sure. */
  readonly isContradictory: boolean;
}

/** Lists the fields of a step that take pictures of the identity document, with their paths. */
function pictureFields({ flow }: Pick<Verification, 'flow'>, step: string) {
  return placedFields(stepOf(flow, step)?.fields ?? {}).flatMap(({ path, field }) =>
    field.kind === 'file' && field.isRead ? [{ path, evidence: field.evidence }] : [],
  );
}

/** Whether a file that is uploaded for a step is a picture of the identity document. */
export function isReadKind(
  verification: Pick<Verification, 'flow'>,
  { step, kind }: { readonly step: string; readonly kind: string },
): boolean {
  return pictureFields(verification, step).some(({ evidence }) => evidence === kind);
}

/** Lists the pictures of the document in the current answers. */
export function documentUses(verification: Verification): readonly FileUse[] {
  return picturesAmong(verification, currentUses(verification));
}

/** Lists the pictures of the document in the answers so far, drafts included. */
export function documentUsesSoFar(verification: Verification): readonly FileUse[] {
  const uses = stepsOf(verification.flow).flatMap((step) =>
    usesIn(verification, step, answersSoFar(verification, step)),
  );
  return picturesAmong(verification, uses);
}

function picturesAmong(verification: Verification, uses: readonly FileUse[]): readonly FileUse[] {
  return uses.filter(({ step, path }) => pictureFields(verification, step).some((field) => field.path === path));
}

/** Returns the readings of pictures that the verification still has, in the order of its files. */
export function readingsIn(
  verification: Verification,
  readings: readonly StoredReading[],
): readonly StoredReading[] {
  return usableFiles(verification).flatMap(({ id, sha256 }) =>
    readings.filter((reading) => reading.fileId === id && reading.sha256 === sha256),
  );
}

/**
 * Joins what the pictures of a document say. A sure value wins; of two that differ and are not sure, the first is kept. Two that
 * differ and are sure are of different documents: then no value is sure.
 */
export function joinReadings(readings: readonly StoredReading[]): ReadDocument {
  const fields: { [F in ReadField]?: { -readonly [K in keyof FoundValue]: FoundValue[K] } } = {};
  let isContradictory = false;
  for (const { readAt, isOffered, ...reading } of readings) {
    for (const [name, read] of Object.entries(reading.fields) as [ReadField, ReadValue][]) {
      const before = fields[name];
      const found = { ...read, readAt, isOffered };
      if (before === undefined || (read.sure && !before.sure)) fields[name] = found;
      else if (read.sure && read.value !== before.value) isContradictory = true;
    }
  }
  if (isContradictory) for (const found of Object.values(fields)) found.sure = false;
  const type = readings.find((reading) => reading.type !== undefined)?.type;
  return { fields, isContradictory, ...(type !== undefined && { type }) };
}

/** What the current pictures of the verification's document say. */
export function readDocumentOf(verification: Verification, readings: readonly StoredReading[]): ReadDocument {
  return readDocumentIn(documentUses(verification), readingsIn(verification, readings));
}

/** What the pictures in the answers so far say together: for the forms that come after them. */
export function readDocumentSoFar(verification: Verification, readings: readonly StoredReading[]): ReadDocument {
  return readDocumentIn(documentUsesSoFar(verification), readingsIn(verification, readings));
}

function readDocumentIn(uses: readonly FileUse[], readings: readonly StoredReading[]): ReadDocument {
  return joinReadings(readings.filter(({ fileId }) => uses.some(({ file }) => file.id === fileId)));
}

/** A field that a reading answers. */
export interface ReadAnswer {
  readonly step: StepKey;
  readonly path: string;
  readonly field: Field;
  readonly readAs: ReadField | 'type';
}

/** Lists the fields of a flow that a reading answers, by step and path. */
export function readAnswers({ flow }: Pick<Verification, 'flow'>): readonly ReadAnswer[] {
  return stepsOf(flow).flatMap((step: StepKey) =>
    placedFields(stepOf(flow, step)?.fields ?? {}).flatMap(({ path, field }) =>
      field.readAs === undefined ? [] : [{ step, path, field, readAs: field.readAs }],
    ),
  );
}

/** What the subject chose of the document. */
interface Chosen {
  readonly documentType: string | null;
  readonly issuer: string | null;
}

/** Returns what the subject chose so far, drafts included. */
export function chosenSoFar(verification: Verification): Chosen {
  return chosenAmong(verification, (step) => answersSoFar(verification, step));
}

/** Returns what the current answers choose. */
export function chosenOf(verification: Verification): Chosen {
  return chosenAmong(verification, (step) => verification.steps[step]?.answers ?? {});
}

function chosenAmong(verification: Verification, answersOf: (step: StepKey) => JsonObject): Chosen {
  const chosen = (name: ReadAnswer['readAs']): string | null => {
    const place = readAnswers(verification).find(({ readAs }) => readAs === name);
    const value = place && valueAt(answersOf(place.step), place.path);
    return typeof value === 'string' ? value : null;
  };
  return { documentType: chosen('type'), issuer: chosen('issuingCountry') };
}

/** Whether a picture shows the side of the chosen document on which a machine-readable zone may be. */
export function mayShowZone(
  verification: Verification,
  picture: { readonly step: string; readonly kind: EvidenceKind },
): boolean {
  const { documentType } = chosenSoFar(verification);
  return isReadKind(verification, picture) && ZONE_PICTURES[documentType ?? ''] === picture.kind;
}
