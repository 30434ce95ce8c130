import { answersSchemaOf, type Flow, type Flows, type Step, stepOf, stepsOf } from '@countersign/domain/flows';
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
 * versions share has one schema. `SubmittedData` has the steps of all flows: of a choice between flows, generated Python
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
      const step = stepOf(flow, key);
      if (step === null) return [];
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

function isNewest(flow: Flow, flows: Flows): boolean {
  return flows[flow.type].at(-1) === flow;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
