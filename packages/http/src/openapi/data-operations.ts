import type { QueryParameters } from '../request-target.ts';
import * as examples from './examples.ts';
import { idParameter, needs, WITH_KEY } from './operation-parts.ts';
import { describeErrors, describeSuccess, successEnvelope } from './responses.ts';

/** `PUT /verifications/{id}/relationship-end`. */
export const endRelationship = (): object => ({
  operationId: 'endRelationship',
  tags: ['Verifications'],
  summary: 'Sets when the relationship with the subject ended.',
  description: `${needs('verifications:create')} The period for which the data of an approved verification is kept begins then. Send it again to change the time, or send null to remove it. A requested erasure follows the new time.`,
  parameters: [idParameter],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/RelationshipEnd' },
        examples: {
          ended: { summary: 'The relationship ended.', value: examples.relationshipEnd },
          goesOn: { summary: 'It did not end after all.', value: examples.relationshipGoesOn },
        },
      },
    },
  },
  responses: {
    '200': describeSuccess('The state of the data now.', {
      data: successEnvelope('DataState'),
      examples: { kept: { value: { success: true, data: examples.keptAfterEnd } } },
    }),
    ...describeErrors([
      ...WITH_KEY,
      'INVALID_JSON',
      'VERIFICATION_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'VERSION_CONFLICT',
      'EVENT_LIMIT_REACHED',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ]),
  },
});

/** The query of `DELETE /verifications/{id}/data`. */
export const ERASE_PARAMETERS: QueryParameters = { withdraw: 'boolean' };

/** `DELETE /verifications/{id}/data`. */
export const eraseData = (): object => ({
  operationId: 'eraseVerificationData',
  tags: ['Verifications'],
  summary: 'Erases the data of a verification.',
  description: `${needs('*')} Answers, files, metadata, notes and the \`subjectReference\` are erased for good; the verification keeps its id, status and times, and still counts. Where the law requires the data to be kept, it is hidden from now on and erased as soon as the law allows it, at \`until\`. A hold delays the erasure in the same way. The request can be repeated.`,
  parameters: [
    idParameter,
    {
      name: 'withdraw',
      in: 'query',
      required: false,
      description:
        'Whether to withdraw the verification first if it is `pending` or `action_needed`. Without it, an open verification is refused.',
      schema: { type: 'boolean', default: false },
      example: true,
    },
  ],
  responses: {
    '200': describeSuccess('The data is erased, or its erasure is requested.', {
      data: successEnvelope('DataState'),
      examples: {
        erased: {
          summary: 'The law no longer required it to be kept.',
          value: { success: true, data: examples.erased },
        },
        restricted: {
          summary: 'The law requires it to be kept.',
          value: { success: true, data: examples.restricted },
        },
        held: { summary: 'It is on hold.', value: { success: true, data: examples.held } },
      },
    }),
    ...describeErrors([...WITH_KEY, 'VERIFICATION_NOT_FOUND', 'ILLEGAL_TRANSITION', 'VERSION_CONFLICT']),
  },
});
