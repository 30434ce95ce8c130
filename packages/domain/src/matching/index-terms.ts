import type { Field, FieldList } from '../fields/field.ts';
import { isJsonObject } from '../fields/paths.ts';
import type { JsonObject, JsonValue } from '../input/json.ts';
import { spellings } from '../reading/fold.ts';

/** What verifications of one client are found by: what says most about two that share it comes first. */
export const INDEX_PURPOSES = [
  'document_number',
  'national_id',
  'person',
  'file',
  'email',
  'phone',
  'family_name',
] as const;
/** What a term is: one of `INDEX_PURPOSES`. */
export type IndexPurpose = (typeof INDEX_PURPOSES)[number];

/** A text that is equal in two verifications if and only if they have the same document, person, address or file. Personal data. */
export interface IndexTerm {
  readonly purpose: IndexPurpose;
  readonly text: string;
  /** Whether only searches of reviewers use it. Warnings do not: unrelated verifications may share it. */
  readonly isForSearch?: true;
}

/**
 * The version of the rules by which verifications are indexed, counted from 1. Raise it with each change of a text: `countersign index
 * rebuild` then writes the terms again.
 */
export const INDEX_RULES_VERSION = 3;

/** Answers that are indexed: the completed steps with the fields of each, and the files. */
export interface IndexedAnswers {
  readonly steps: readonly { readonly fields: FieldList; readonly answers: JsonObject }[];
  readonly files: readonly { readonly id: string; readonly sha256: string }[];
}

/** Lists the terms of answers without duplicates, in the order of the fields. Unknown answers have none. */
export function termsOfAnswers({ steps, files }: IndexedAnswers): readonly IndexTerm[] {
  const hashes = new Map(files.map(({ id, sha256 }) => [id, sha256]));
  const terms = steps.flatMap(({ fields, answers }) => termsIn(fields, answers, hashes));
  return [...new Map(terms.map((term) => [`${term.purpose} ${term.text}`, term])).values()];
}

type Hashes = ReadonlyMap<string, string>;

function termsIn(fields: FieldList, answers: JsonObject, hashes: Hashes): IndexTerm[] {
  const known = Object.entries(fields).filter(([key]) => Object.hasOwn(answers, key));
  const ofFields = known.flatMap(([key, field]) => termsOf(field, answers[key], { answers, hashes }));
  return [...personTerms(fields, answers), ...ofFields];
}

function termsOf(
  field: Field,
  value: JsonValue | undefined,
  { answers, hashes }: { readonly answers: JsonObject; readonly hashes: Hashes },
): IndexTerm[] {
  if (isJsonObject(value)) return 'fields' in field ? termsIn(field.fields, value, hashes) : [];
  if (Array.isArray(value)) return value.flatMap((entry: JsonValue) => termsOf(field, entry, { answers, hashes }));
  if (typeof value !== 'string') return [];
  if (field.indexedAs !== undefined) {
    const { purpose, country } = field.indexedAs;
    const terms = withCountries(textsIn(answers[country]), codeOf(value)).map((text) => ({ purpose, text }));
    return purpose === 'document_number' ? [...terms, ...termsOfNumber(value)] : terms;
  }
  switch (field.kind) {
    case 'email':
      return term('email', value.normalize('NFKC').trim().toLowerCase());
    case 'phone':
      return term('phone', value.replace(/\D/g, ''));
    case 'file':
      return term('file', hashes.get(value) ?? '');
    default:
      return [];
  }
}

/** Lists the terms of the person whom fields name, and of the family name alone. */
function personTerms(fields: FieldList, answers: JsonObject): IndexTerm[] {
  const named = (purpose: Field['purpose']): string =>
    Object.keys(fields)
      .filter((key) => fields[key]?.purpose === purpose)
      .flatMap((key) => textsIn(answers[key]))
      .join(' ');
  const familyName = named('family-name');
  const givenNames = `${named('given-name')} ${named('additional-name')}`;
  return [
    ...termsOfPerson({ birthDate: named('birth-date'), givenNames, familyName }),
    ...termsOfFamilyName(familyName),
  ];
}

/** Lists the terms of a family name: each spelling. */
export function termsOfFamilyName(familyName: string): IndexTerm[] {
  return textsOfName(namesIn(familyName).map(spellingsOf)).map((text) => ({
    purpose: 'family_name',
    text,
    isForSearch: true,
  }));
}

/** Lists the term of a document's number alone, without its state. It has no space, so it never equals a number with a state. */
export function termsOfNumber(number: string): IndexTerm[] {
  return term('document_number', codeOf(number)).map((one) => ({ ...one, isForSearch: true }));
}

/** A person as answers name them. */
export interface NamedPerson {
  /** `YYYY-MM-DD`. */
  readonly birthDate: string;
  readonly givenNames: string;
  readonly familyName: string;
}

/**
 * Lists the terms of a person with a birth date: each spelling of all given names with the family name, and of the first one alone. None
 * without both.
 */
export function termsOfPerson({ birthDate, givenNames, familyName }: NamedPerson): IndexTerm[] {
  if (birthDate === '' || familyName === '') return [];
  const given = namesIn(givenNames).map(spellingsOf);
  const family = namesIn(familyName).map(spellingsOf);
  const texts = [given, given.slice(0, 1)].flatMap((some) => textsOfName([...some, ...family]));
  return [...new Set(texts)].flatMap((name) => term('person', `${birthDate} ${name}`));
}

/** Lists the spellings of a name, without empty ones. */
function textsOfName(words: readonly (readonly [spelled: string, plain: string])[]): string[] {
  const names = [words.map(([spelled]) => spelled), words.map(([, plain]) => plain)];
  return [...new Set(names.map((name) => name.filter((word) => word !== '').join(' ')))].filter(
    (name) => name !== '',
  );
}

/** Letters that every machine-readable zone shows as they are. */
const PLAIN_WORD = /^[A-Za-z]+$/;

/** Returns both spellings of a word in a machine-readable zone. A word of another script is in upper case. */
function spellingsOf(word: string): readonly [string, string] {
  if (PLAIN_WORD.test(word)) return [word.toUpperCase(), word.toUpperCase()];
  const [spelled = '', plain = ''] = spellings(word);
  return [spelled || codeOf(word), plain || codeOf(word)];
}

/** Lists the words of a name. */
export function namesIn(text: string): string[] {
  return text.split(/[\s\p{Pd}]+/u).filter((name) => name !== '');
}

/** Removes spaces, dashes and differences of case. */
function codeOf(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function withCountries(countries: readonly string[], code: string): string[] {
  return code === '' ? [] : countries.map((country) => `${country} ${code}`);
}

function textsIn(value: JsonValue | undefined): string[] {
  return [value].flat().filter((text) => typeof text === 'string');
}

function term(purpose: IndexPurpose, text: string): IndexTerm[] {
  return text === '' ? [] : [{ purpose, text }];
}
