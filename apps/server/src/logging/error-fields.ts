import { VerificationFault } from '@countersign/domain';

/** Fields of a fault in the log. */
export interface ErrorFields {
  readonly type: string;
  readonly code?: string;
  /** The verification, the file or the endpoint that a `VerificationFault` is about. */
  readonly verificationId?: string;
  readonly fileId?: string;
  readonly endpointId?: string;
  /** Stack frames, innermost first. */
  readonly stack: string;
  readonly cause?: ErrorFields;
}

const DEPTH = 3;

/**
 * Returns type, code and stack of a fault, and the ids of a `VerificationFault`. Never the message: messages
 * quote keys and personal data (drizzle its parameters, `JSON.parse` a piece of the text, Node the value it received).
 */
export function errorFields(fault: unknown): ErrorFields {
  return fieldsOf(fault, DEPTH);
}

function fieldsOf(fault: unknown, depth: number): ErrorFields {
  if (!(fault instanceof Error)) return { type: typeof fault, stack: '' };
  const { code, cause, stack = '' } = fault as Error & { code?: unknown };
  const { verificationId, fileId, endpointId } = fault instanceof VerificationFault ? fault : {};
  return {
    type: fault.constructor.name,
    ...(typeof code === 'string' && { code }),
    ...(verificationId !== undefined && { verificationId }),
    ...(fileId !== undefined && { fileId }),
    ...(endpointId !== undefined && { endpointId }),
    stack: framesOf(stack),
    ...(cause !== undefined && depth > 1 && { cause: fieldsOf(cause, depth - 1) }),
  };
}

function framesOf(stack: string): string {
  const lines = stack.split('\n').filter((line) => /^ {4}at .*(?::\d+:\d+\)?|\(<anonymous>\))$/.test(line));
  return lines.map((line) => line.trim()).join('\n');
}
