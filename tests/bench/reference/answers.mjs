// The responses and refusals of the two measured requests.
import { answer, refuse } from './answer.mjs';

/**
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('./answer.mjs').Rate} Rate
 */

/** @param {ServerResponse} response @param {Rate} rate */
export function refuseRate(response, rate) {
  refuse(response, rate, 429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded');
}

/** @param {ServerResponse} response @param {Rate} rate */
export function refusePermission(response, rate) {
  refuse(response, rate, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');
}

/**
 * @param {ServerResponse} response
 * @param {Rate} rate
 * @param {Record<string, any>} row of the verification
 * @param {{ answers: Record<string, any>, metadata: unknown, link: string }} more parsed and computed values
 */
export function answerVerification(response, rate, row, { answers, metadata, link }) {
  /** @type {Record<string, unknown>} */
  const submittedData = {};
  const { steps = {} } = answers;
  for (const step in steps) submittedData[step] = steps[step].answers;
  const data = {
    id: row.id,
    type: row.type,
    subjectReference: row.subject_reference,
    status: row.status,
    requestedAt: new Date(row.requested_at),
    resolvedAt: row.resolved_at === null ? null : new Date(row.resolved_at),
    currentStep: row.current_step,
    verificationUrl: link,
    submittedData,
    metadata,
  };
  answer(response, rate, 200, JSON.stringify({ success: true, data }));
}

/**
 * @param {ServerResponse} response
 * @param {Rate} rate
 * @param {{ id: string, type: string, subjectReference: string, now: number, link: string }} creation
 */
export function answerCreated(response, rate, { id, type, subjectReference, now, link }) {
  const data = {
    id,
    type,
    subjectReference,
    status: 'pending',
    requestedAt: new Date(now),
    currentStep: 0,
    verificationUrl: link,
  };
  const text = JSON.stringify({ success: true, data, message: 'Verification created' });
  answer(response, rate, 201, text, 'Location', `verifications/${id}`);
}

/**
 * @param {ServerResponse} response
 * @param {Rate} rate
 * @param {Record<string, any> | undefined} earlier the row of the active verification
 */
export function refuseDuplicate(response, rate, earlier) {
  const message =
    'An active verification already exists for this subjectReference. Its id is in data.verificationId.';
  refuse(response, rate, 409, 'DUPLICATE_SUBJECT_REFERENCE', message, {
    verificationId: earlier?.id,
    status: earlier?.status,
  });
}

/** @param {ServerResponse} response @param {Rate} rate */
export function refuseLimit(response, rate) {
  refuse(response, rate, 403, 'LIMIT_EXCEEDED', 'The monthly verification limit is reached');
}
