import type { JsonObject, JsonValue } from '@countersign/domain';
import { dayInWords } from '../site/day-in-words.ts';
import type { Language, Translate } from '../site/messages.ts';
import { hasMessage } from '../site/messages.ts';
import { countryInWords, languageInWords, momentInWords } from './wording.ts';

/** One field of a step's answers, as members of staff read it. */
export interface AnswerRow {
  /** Where in the answers: `placeOfBirth.city`, `directors.0.firstName`. */
  readonly path: string;
  readonly label: string;
  readonly value: string;
  /** The file that the field names, instead of a text. */
  readonly fileId: string | null;
}

interface Reader {
  readonly t: Translate;
  readonly language: Language;
}

/** The answers in the order of the forms, whatever order a database gave them back in. */
export function rowsOf(answers: JsonObject, reader: Reader): AnswerRow[] {
  return fieldsOf(answers, '', [], reader);
}

function fieldsOf(answers: JsonObject, prefix: string, labels: readonly string[], reader: Reader): AnswerRow[] {
  const names = Object.keys(answers).toSorted((a, b) => placeOf(a) - placeOf(b));
  return names.flatMap((name) => {
    const value = answers[name];
    if (value === undefined) return [];
    return rowsOfField(name, value, { path: prefix + name, labels: [...labels, labelOf(name, reader.t)] }, reader);
  });
}

function rowsOfField(
  name: string,
  value: JsonValue,
  { path, labels }: { path: string; labels: readonly string[] },
  reader: Reader,
): AnswerRow[] {
  if (isList(value) && value.some((item) => typeof item === 'object')) {
    return value.flatMap((item, index) => {
      const place = {
        path: `${path}.${index}`,
        labels: [...labels.slice(0, -1), `${labels.at(-1)} ${index + 1}`],
      };
      return rowsOfField(name, item, place, reader);
    });
  }
  if (isObject(value)) {
    return fieldsOf(value, `${path}.`, labels, reader);
  }
  const label = labels.join(': ');
  const fileId = isFileField(name) && typeof value === 'string' ? value : null;
  return [{ path, label, value: inWords(name, value, reader), fileId }];
}

function inWords(name: string, value: JsonValue, reader: Reader): string {
  const { t, language } = reader;
  if (isList(value)) {
    return value.length === 0
      ? t('wording:value.none')
      : value.map((item) => inWords(name, item, reader)).join(', ');
  }
  if (typeof value === 'boolean') return t(value ? 'wording:value.yes' : 'wording:value.no');
  if (typeof value === 'number') {
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 }).format(value);
    return name === 'ownershipPercent' ? `${number} %` : number;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (COUNTRY_FIELDS.has(name)) return countryInWords(text, language);
  if (DAY_FIELDS.has(name)) return dayInWords(text, language);
  if (name === 'acceptedAt') return momentInWords(new Date(text), language);
  if (name === 'locale') return languageInWords(text, language);
  if (CHOICE_FIELDS.has(name)) {
    const key = `wording:value.${text}`;
    return hasMessage(key) ? t(key) : text;
  }
  return text;
}

/** A field that this page does not know keeps its own name: better than not to show it. */
function labelOf(name: string, t: Translate): string {
  const key = `wording:field.${name}`;
  return hasMessage(key) ? t(key) : name;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value);

const isFileField = (name: string): boolean => /fileId$/i.test(name);

const COUNTRY_FIELDS: ReadonlySet<string> = new Set([
  'country',
  'nationality',
  'nationalities',
  'issuingCountry',
  'countryOfIncorporation',
]);
const DAY_FIELDS: ReadonlySet<string> = new Set(['dateOfBirth', 'expiresOn', 'incorporatedOn']);
const CHOICE_FIELDS: ReadonlySet<string> = new Set(['type', 'controlType']);

/** One order for the fields of all steps (DESIGN section 8). What is not listed comes last. */
const ORDER: readonly string[] = `
  accepted version locale acceptedAt representative document firstName middleNames lastName dateOfBirth placeOfBirth
  nationality nationalities nationalIdNumber role email phone ownershipPercent controlType registered operating line1
  line2 postalCode city region country proofFileId type issuingCountry number expiresOn frontFileId backFileId legalName
  tradingNames legalForm countryOfIncorporation registrationNumber incorporatedOn taxId vatNumber lei website activity
  directors beneficialOwners noBeneficialOwner seniorManagers registrationExtractFileId articlesFileId
  ownershipChartFileId proofOfAddressFileId selfieFileId authorityFileId
`
  .trim()
  .split(/\s+/);

function placeOf(name: string): number {
  const place = ORDER.indexOf(name);
  return place === -1 ? ORDER.length : place;
}
