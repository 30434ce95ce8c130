/** What the log keeps of a fault. */
export interface ErrorFields {
  readonly type: string;
  readonly code?: string;
  /** Of a `SealingError` or an `UnreadableVerificationError`: leads the operator to the damaged verification. */
  readonly verificationId?: string;
  /** The places in the code, innermost first. */
  readonly stack: string;
  readonly cause?: ErrorFields;
}

const DEPTH = 3;

/** Errors whose `verificationId` is logged. */
const NAMING: ReadonlySet<string> = new Set(['SealingError', 'UnreadableVerificationError']);

/**
 * Type, code, stack and, of the errors in `NAMING`, the verification's id, but never the message: messages quote what was being worked on (drizzle its parameters,
 * `JSON.parse` a piece of the text, Node the value it received), and that may be a key or personal data. The stack
 * leads to the very line that threw.
 */
export function errorFields(fault: unknown): ErrorFields {
  return fieldsOf(fault, DEPTH);
}

function fieldsOf(fault: unknown, depth: number): ErrorFields {
  if (!(fault instanceof Error)) return { type: typeof fault, stack: '' };
  const {
    code,
    cause,
    stack = '',
    verificationId,
  } = fault as Error & { code?: unknown; verificationId?: unknown };
  return {
    type: fault.constructor.name,
    ...(typeof code === 'string' && { code }),
    ...(NAMING.has(fault.name) && typeof verificationId === 'string' && { verificationId }),
    stack: placesOf(stack),
    ...(cause !== undefined && depth > 1 && { cause: fieldsOf(cause, depth - 1) }),
  };
}

function placesOf(stack: string): string {
  const lines = stack.split('\n').filter((line) => /^ {4}at .*(?::\d+:\d+\)?|\(<anonymous>\))$/.test(line));
  return lines.map((line) => line.trim()).join('\n');
}
