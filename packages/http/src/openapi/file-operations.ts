import { EVIDENCE_CONTENT_TYPES } from '@countersign/domain/evidence';
import { ZIP_TYPE } from '../responses.ts';
import { fileId } from './examples.ts';
import { idParameter, needs, WITH_KEY } from './operation-parts.ts';
import { describeErrors, describeFile } from './responses.ts';

/** `GET /verifications/{id}/files/{fileId}`. */
export const readFile = (): object => ({
  operationId: 'getVerificationFile',
  tags: ['Verifications'],
  summary: 'Downloads a file of a verification.',
  description: `${needs('*')} An owner of the client’s team must also have switched on access to files in the dashboard. The files are those in \`documents\` of the details. Each download is recorded in the audit log. The files of a verification whose data is erased, or hidden because its erasure was requested, get 409 \`ILLEGAL_TRANSITION\`.`,
  parameters: [
    idParameter,
    {
      name: 'fileId',
      in: 'path',
      required: true,
      description: 'Identifier of the file: `id` in `documents` of the details.',
      schema: { type: 'string' },
      example: fileId(),
    },
  ],
  responses: {
    '200': describeFile('The content of the file.', EVIDENCE_CONTENT_TYPES, ['Content-Length']),
    ...describeErrors([
      ...WITH_KEY,
      'FILES_SWITCHED_OFF',
      'VERIFICATION_NOT_FOUND',
      'FILE_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'TOO_MANY_DOWNLOADS',
    ]),
  },
});

/** `GET /verifications/{id}/export`. */
export const exportData = (): object => ({
  operationId: 'exportVerification',
  tags: ['Verifications'],
  summary: 'Exports a verification with its files.',
  description: `${needs('*')} An owner of the client’s team must also have switched on access to files in the dashboard. The zip has each file of \`documents\` in the folder \`files\`, and \`data.json\` with the details: answers, decision and history. It is streamed, so its length is not known in advance; an interrupted zip has no directory at its end. A file whose content is missing or damaged is listed in \`unreadableFiles\` of \`data.json\` and in \`INCOMPLETE.txt\`; any other fault interrupts the zip. Each export is recorded in the audit log. A verification whose data is erased, or hidden because its erasure was requested, gets 409 \`ILLEGAL_TRANSITION\`.`,
  parameters: [idParameter],
  responses: {
    '200': describeFile('The zip.', [ZIP_TYPE]),
    ...describeErrors([
      ...WITH_KEY,
      'FILES_SWITCHED_OFF',
      'VERIFICATION_NOT_FOUND',
      'ILLEGAL_TRANSITION',
      'TOO_MANY_DOWNLOADS',
    ]),
  },
});
