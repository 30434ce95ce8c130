import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, type Instruction, type PropertyInstruction } from 'dockerfile-ast';

export const ROOT: string = join(import.meta.dirname, '../..');

/** An instruction with its variables replaced. */
export interface Step {
  /** `RUN`, `COPY`, … */
  readonly keyword: string;
  /** Everything after the keyword, on one line. */
  readonly text: string;
}

/** One `FROM` and what follows it. */
export interface Stage {
  readonly name: string | undefined;
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Parses the Dockerfile of this repository. @param args build arguments */
export function readStages(args: Readonly<Record<string, string>> = {}): readonly Stage[] {
  const dockerfile = DockerfileParser.parse(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const stages: { name: string | undefined; base: string; steps: Step[] }[] = [];
  let values = new Map<string, string>();
  const global = new Map<string, string>();
  for (const instruction of dockerfile.getInstructions()) {
    const keyword = instruction.getKeyword();
    const text = replaced(textOf(instruction), keyword === 'FROM' ? global : values);
    if (keyword === 'FROM') {
      const [base = '', , name] = text.split(/\s+/);
      stages.push({ name, base, steps: [] });
      values = new Map();
    } else if (keyword === 'ARG') {
      const [, name = '', byDefault] = /^(\w+)(?:=(.*))?$/.exec(text) ?? [];
      const value = args[name] ?? byDefault ?? global.get(name) ?? '';
      (stages.length === 0 ? global : values).set(name, value);
    } else {
      stages.at(-1)?.steps.push({ keyword, text });
    }
  }
  return stages;
}

/** Returns the exec form of an instruction. @throws Error if it has the shell form */
export function execForm({ text }: Step): readonly string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

/** Returns the variables or labels of all steps with a keyword: `ENV`, `LABEL`. */
export function propertiesOf(stage: Stage, keyword: 'ENV' | 'LABEL'): Readonly<Record<string, string>> {
  const text = stage.steps.filter((step) => step.keyword === keyword).map((step) => `${keyword} ${step.text}`);
  const parsed = DockerfileParser.parse(['FROM scratch', ...text].join('\n'))
    .getInstructions()
    .slice(1);
  const properties = parsed.flatMap((instruction) => (instruction as PropertyInstruction).getProperties());
  return Object.fromEntries(properties.map((each) => [each.getName(), each.getValue() ?? '']));
}

/** Returns the only step with a keyword. */
export function stepOf(stage: Stage, keyword: string): Step {
  const [step, ...others] = stage.steps.filter((each) => each.keyword === keyword);
  if (step === undefined || others.length > 0) throw new Error(`expected one ${keyword}`);
  return step;
}

function textOf(instruction: Instruction): string {
  return instruction
    .getTextContent()
    .replaceAll(/\\\n\s*/g, '')
    .replace(/^\w+\s+/, '')
    .trim();
}

/** Replaces `${NAME}` of build arguments; variables of the running program stay. */
function replaced(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
}
