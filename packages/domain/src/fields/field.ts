import type { IssueCode } from '../errors.ts';
import type { EvidenceKind } from '../evidence/evidence-file.ts';
import type { FlowSwitch } from './flow-switches.ts';
import type { ReadField } from './read-fields.ts';

/** The meaning of a field for a person, as HTML's autofill names where they exist. */
export type Purpose =
  | 'given-name'
  | 'additional-name'
  | 'family-name'
  | 'birth-date'
  | 'email'
  | 'tel'
  | 'organization'
  | 'organization-title'
  | 'url'
  | 'address-line1'
  | 'address-line2'
  | 'address-level1'
  | 'address-level2'
  | 'postal-code'
  | 'country';

interface Common {
  readonly purpose?: Purpose;
  /** Who supplies the value; default the subject. A `server` field is not part of the input. */
  readonly by?: 'subject' | 'page' | 'server';
  /** Few people have an answer: forms fold the field. */
  readonly rare?: true;
  /** Where the client may already have said it: the subject is then asked only if it was answered, or a reviewer asks for it. */
  readonly knownFrom?: 'notify.email';
  /**
   * What a reader finds on the identity document of the flow that answers the field; `type`: the type of the document. Forms are filled
   * in with it, and answers compared.
   */
  readonly readAs?: ReadField | 'type';
  /**
   * A number that belongs to one document or person within its country: other verifications of the client are found by it
   * (matching/index-terms.ts). `country` is the key of the sibling that names the country, or several.
   */
  readonly indexedAs?: { readonly purpose: 'document_number' | 'national_id'; readonly country: string };
  /** What clients must know of the value, for the API document. */
  readonly description?: string;
}

/** A rule that decides by itself whether a text is accepted; `max` then only bounds the form's control. */
export interface TextCheck {
  readonly test: (text: string) => boolean;
  readonly code: IssueCode;
  readonly message: string;
}

/** Text of any script, trimmed; at most `max` characters. */
export interface TextField extends Common {
  readonly kind: 'text';
  readonly max: number;
  /**
   * `code`: letters and digits copied from a document. `paragraph`: several lines. `label`: a name that lists and
   * terminals show, without control characters. Default `line`.
   */
  readonly shape?: 'line' | 'code' | 'paragraph' | 'label';
  readonly check?: TextCheck;
}

/**
 * Text in a standard format: e-mail address, E.164 phone number, http(s) URL, BCP 47 language tag, an id of this
 * service, ISO 8601 timestamp in UTC.
 */
export interface FormattedField extends Common {
  readonly kind: 'email' | 'phone' | 'website' | 'language' | 'id' | 'timestamp';
}

/** Calendar date `YYYY-MM-DD`. */
export interface DateField extends Common {
  readonly kind: 'date';
  /** The first day that is accepted, `YYYY-MM-DD`. Earlier ones are slips, such as the year 90. */
  readonly notBefore?: string;
}

/** ISO 3166-1 alpha-2 code in upper case. */
export interface CountryField extends Common {
  readonly kind: 'country';
  /** `address`: decides which of the fields beside it, by their purpose, are required, and how forms name and order them. */
  readonly decides?: 'address';
  /** Whether forms propose the country of the subject's locale. */
  readonly proposed?: true;
}

/** Id of a file uploaded for the step. */
export interface FileField extends Common {
  readonly kind: 'file';
  readonly evidence: EvidenceKind;
  /** Whether it is a picture of the identity document, which a reader reads. */
  readonly isRead?: true;
}

/** One of a fixed set of values. */
export interface ChoiceField<T = string | number> extends Common {
  readonly kind: 'choice';
  readonly of: readonly T[];
}

export interface NumberField extends Common {
  readonly kind: 'number';
  /** Exclusive. */
  readonly above?: number;
  readonly min?: number;
  readonly max?: number;
  readonly integer?: true;
  readonly unit?: 'percent';
}

/** A statement that can only be confirmed: `true`. */
export interface StatementField extends Common {
  readonly kind: 'statement';
}

export interface FlagField extends Common {
  readonly kind: 'flag';
}

interface Lengths {
  readonly min?: number;
  readonly max: number;
}

/** Several texts, countries or choices. */
export interface ListField<T = unknown> extends Common, Lengths {
  readonly kind: 'list';
  readonly each: [unknown] extends [T] ? ScalarField : FieldFor<T>;
}

/** Several entries with the same fields, such as people. */
export interface RowsField<T = unknown> extends Common, Lengths {
  readonly kind: 'rows';
  readonly fields: [unknown] extends [T] ? FieldList : Fields<T>;
}

/** Fields that belong together, such as an address. */
export interface GroupField<T = unknown> extends Common {
  readonly kind: 'group';
  readonly fields: [unknown] extends [T] ? FieldList : Fields<T>;
  /** A sibling group. Forms ask "same or another?" and leave this group out when it is the same. */
  readonly sameAs?: string;
  /** `other`: not about the person who fills in the form. Browsers then fill in nothing. Default `reader`. */
  readonly about?: 'reader' | 'other';
}

type StringField = TextField | FormattedField | DateField | CountryField | FileField;
type ScalarField = StringField | ChoiceField;

/**
 * A field is asked when each named sibling has one of the listed values; null means not answered. A field that is
 * asked is required unless it is `optional`; a field that is not asked is dropped.
 */
export type When<A> = { readonly [K in keyof A]?: readonly (A[K] | null)[] };

/**
 * A field may be left out when each named sibling has one of the listed values, and forms then ask to confirm it with a
 * checkbox: "I have only one name". The confirmation is not stored. Without a named sibling, it may always be left out.
 */
export type Absence<A> = When<A>;

/** The kinds of fields that can hold a value of type `T`. */
export type FieldFor<T> = [T] extends [true]
  ? StatementField
  : [T] extends [boolean]
    ? FlagField
    : [T] extends [readonly (infer E)[]]
      ? [E] extends [string]
        ? ListField<E>
        : RowsField<E>
      : [T] extends [number]
        ? number extends T
          ? NumberField
          : ChoiceField<T>
        : [T] extends [string]
          ? string extends T
            ? StringField
            : ChoiceField<T>
          : GroupField<T>;

/**
 * The fields of an `A`, checked against its type: a missing, extra, wrongly optional or wrongly typed field is a
 * compile error. Key order is the order of pages, review rows and documentation.
 *
 * @example
 * interface Place { readonly city: string; readonly region?: string | undefined }
 * const place: Fields<Place> = {
 *   city: { kind: 'text', max: 100 },
 *   region: { kind: 'text', max: 100, optional: true },
 * };
 */
export type Fields<A> = {
  readonly [K in keyof A]-?: FieldFor<Exclude<A[K], undefined>> &
    (undefined extends A[K]
      ?
          | {
              readonly optional: true;
              readonly when?: When<A>;
              readonly asked?: FlowSwitch;
              readonly absence?: never;
            }
          | ({ readonly optional?: never; readonly asked?: FlowSwitch } & (
              | { readonly when: When<A>; readonly absence?: Absence<A> }
              | { readonly when?: When<A>; readonly absence: Absence<A> }
            ))
          | {
              readonly asked: FlowSwitch;
              readonly optional?: never;
              readonly when?: When<A>;
              readonly absence?: Absence<A>;
            }
      : { readonly optional?: never; readonly when?: never; readonly asked?: never; readonly absence?: never });
};

/** Any field, without the type of its value. */
export type Field = (
  | ScalarField
  | NumberField
  | StatementField
  | FlagField
  | ListField
  | RowsField
  | GroupField
) & {
  readonly optional?: true;
  readonly when?: Condition;
  /** The client's setting that asks for the field. */
  readonly asked?: FlowSwitch;
  readonly absence?: Condition;
};

/** `When` without the types of its siblings. */
export type Condition = Readonly<Record<string, readonly unknown[]>>;

/** Fields by key, in order, without the type they were checked against. */
export type FieldList = Readonly<Record<string, Field>>;

/** A field of `A`, or a field of one of its groups: `type`, `document.type`. */
export type Path<A> = {
  [K in keyof A & string]-?: Exclude<A[K], undefined> extends readonly unknown[] | string | number | boolean
    ? K
    : K | `${K}.${keyof Exclude<A[K], undefined> & string}`;
}[keyof A & string];

/** Answers that may lack any part. */
export type Partly<T> = T extends readonly (infer E)[]
  ? readonly (Partly<E> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: Partly<T[K]> | undefined }
    : T;
