import {
  answersSchemaOf,
  currentFlow,
  type Field,
  type FieldList,
  type Flow,
  type Flows,
  type Step,
  stepOf,
  stepsOf,
} from '@countersign/domain/flows';
import { z } from 'zod';

type JsonRecord = Readonly<Record<string, unknown>>;

/** The schemas of `submittedData`, drawn from the fields of the flows. */
export interface SubmittedDataSchemas {
  /** One schema for each step of each version of a flow, one for each flow, and one for all, by component name. */
  readonly components: Readonly<Record<string, z.ZodType>>;
  /** The answers to any of the flows, also when only some steps are completed: one object with the steps of all. */
  readonly schema: z.ZodType<JsonRecord>;
}

/**
 * Makes the schemas of `submittedData`: `KycPerson` for a step, `KycSubmittedData` for a flow. Of a flow with several
 * versions, the newest has these names; the others end in their version, such as `KycSubmittedDataV1`. A step that two
 * versions share has one schema, and so has one whose newest version only makes fields optional: clients read all of its versions by
 * that schema. `SubmittedData` has the steps of all flows: of a choice between flows, generated Python
 * clients take the first, since no step is required, and drop the steps that it lacks.
 */
export function submittedDataSchemas(flows: Flows): SubmittedDataSchemas {
  const components: Record<string, z.ZodType> = {};
  const made = new Map<Step, z.ZodType>();
  const byStep = new Map<string, Set<z.ZodType>>();

  function ofStep(step: Step, name: string): z.ZodType {
    const schema = made.get(step) ?? answersSchemaOf(step.fields);
    if (!made.has(step)) components[name] = schema;
    made.set(step, schema);
    return schema;
  }

  const ofFlow = (flow: Flow, suffix: string): z.ZodType<JsonRecord> => {
    const type = capitalized(flow.type);
    const steps = stepsOf(flow).flatMap((key) => {
      const own = stepOf(flow, key);
      if (own === null) return [];
      const newest = stepOf(currentFlow(flow.type, flows), key);
      const step = newest !== null && covers(newest.fields, own.fields) ? newest : own;
      const schema = ofStep(step, `${type}${capitalized(key)}${suffix}`);
      byStep.set(key, (byStep.get(key) ?? new Set()).add(schema));
      return [[key, schema.optional()] as const];
    });
    const schema = z.strictObject(Object.fromEntries(steps));
    components[`${type}SubmittedData${suffix}`] = schema;
    return schema;
  };

  for (const flow of Object.values(flows).flatMap((versions) => versions.toReversed())) {
    ofFlow(flow, isNewest(flow, flows) ? '' : `V${flow.version}`);
  }
  const steps = [...byStep].map(([key, schemas]) => [key, anyOf([...schemas]).optional()] as const);
  const schema = z.strictObject(Object.fromEntries(steps)).meta({
    description:
      'The current answers, by step. `KycSubmittedData` and `KybSubmittedData` have the steps of one type each.',
  });
  components.SubmittedData = schema;
  return { components, schema };
}

/** The schemas with most fields come first, because generated clients take the first that fits. */
function anyOf(schemas: readonly z.ZodType[]): z.ZodType {
  const fields = (schema: z.ZodType): number =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape).length : 0;
  const sorted = schemas.toSorted((one, other) => fields(other) - fields(one));
  return sorted.length === 1 ? (sorted[0] as z.ZodType) : z.union(sorted);
}

/** Whether answers with the older fields fit the newer ones: these are the same, or optional where they were required. */
function covers(newer: FieldList, older: FieldList): boolean {
  const keys = Object.keys(newer);
  if (keys.join() !== Object.keys(older).join()) return false;
  return keys.every((key) => {
    const [one, other] = [newer[key], older[key]];
    if (one === undefined || other === undefined) return false;
    if (isRequired(one) && !isRequired(other)) return false;
    if ('fields' in one && 'fields' in other) return one.kind === other.kind && covers(one.fields, other.fields);
    return shapeOf(one) === shapeOf(other);
  });
}

function isRequired({ optional, when, asked, absence }: Field): boolean {
  return optional !== true && when === undefined && asked === undefined && absence === undefined;
}

/** What says when a field is asked, and how forms show it: not what its answer is. */
const NOT_OF_ANSWERS: ReadonlySet<string> = new Set([
  'optional',
  'when',
  'asked',
  'absence',
  'description',
  'rare',
  'knownFrom',
  'proposed',
  'decides',
]);

function shapeOf(field: Field): string {
  return JSON.stringify(field, (key, value: unknown) => (NOT_OF_ANSWERS.has(key) ? undefined : value));
}

function isNewest(flow: Flow, flows: Flows): boolean {
  return currentFlow(flow.type, flows) === flow;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
