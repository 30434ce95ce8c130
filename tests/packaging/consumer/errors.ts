import { CountersignError, isCountersignError } from '@countersign/domain';
import { ERRORS } from '@countersign/http';

/** Answers an error of the core in a route of your own. Everything else is a fault. */
function answerOf(error: unknown): { status: number; body: object } {
  if (!isCountersignError(error)) throw error;
  const { code, message, data } = error;
  return { status: ERRORS[code].status, body: { success: false, error: message, code, data } };
}

const { status, body } = answerOf(new CountersignError('VERIFICATION_NOT_FOUND'));
console.log(status, JSON.stringify(body));
