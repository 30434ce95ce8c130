/** Fields of a fault in the log. */
export interface ErrorFields {
  readonly type: string;
  readonly code?: string;
  /** The damaged verification, for a `SealingError` or an `UnreadableVerificationError`. */
  readonly verificationId?: string;
  /** Stack frames, innermost first. */
  readonly stack: string;
  readonly cause?: ErrorFields;
}

const DEPTH = 3;

/** Errors whose `verificationId` is logged. */
const NAMES_VERIFICATION: ReadonlySet<string> = new Set(['SealingError', 'UnreadableVerificationError']);

/**
 * Returns type, code and stack of a fault, and the verification's id for errors in `NAMES_VERIFICATION`. Never the message: messages
 * quote keys and personal data (drizzle its parameters, `JSON.parse` a piece of the text, Node the value it received).
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
    ...(NAMES_VERIFICATION.has(fault.name) && typeof verificationId === 'string' && { verificationId }),
    stack: framesOf(stack),
    ...(cause !== undefined && depth > 1 && { cause: fieldsOf(cause, depth - 1) }),
  };
}

function framesOf(stack: string): string {
  const lines = stack.split('\n').filter((line) => /^ {4}at .*(?::\d+:\d+\)?|\(<anonymous>\))$/.test(line));
  return lines.map((line) => line.trim()).join('\n');
}
