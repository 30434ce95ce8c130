import { answersSchemaOf, type Flow, type Flows, type Step, stepOf, stepsOf } from '@countersign/domain';
import { z } from 'zod';

type JsonRecord = Readonly<Record<string, unknown>>;

/** The schemas of `submittedData`, drawn from the fields of the flows. */
export interface SubmittedDataSchemas {
  /** One schema for each step of each version of a flow, and one for each flow, by component name. */
  readonly components: Readonly<Record<string, z.ZodType>>;
  /** The answers to any of the flows, also when only some steps are completed. */
  readonly schema: z.ZodType<JsonRecord>;
}

/**
 * Makes the schemas of `submittedData`: `KycPerson` for a step, `KycSubmittedData` for a flow. Of a flow with several
 * versions, the newest has these names; the others end in their version, such as `KycSubmittedDataV1`. A step that two
 * versions share has one schema.
 */
export function submittedDataSchemas(flows: Flows): SubmittedDataSchemas {
  const components: Record<string, z.ZodType> = {};
  const made = new Map<Step, z.ZodType>();

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
      return step === null ? [] : [[key, ofStep(step, `${type}${capitalized(key)}${suffix}`).optional()] as const];
    });
    const schema = z.strictObject(Object.fromEntries(steps));
    components[`${type}SubmittedData${suffix}`] = schema;
    return schema;
  };

  const newestFirst = Object.values(flows).flatMap((versions) => versions.toReversed());
  const schemas = newestFirst.map((flow) => ofFlow(flow, isNewest(flow, flows) ? '' : `V${flow.version}`));
  return { components, schema: z.union(schemas).meta({ description: 'The current answers, by step.' }) };
}

function isNewest(flow: Flow, flows: Flows): boolean {
  return flows[flow.type].at(-1) === flow;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
