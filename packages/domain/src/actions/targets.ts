import { PDF_PAGES_MAX } from '../evidence/evidence-file.ts';
import type { FilePart, FilePartName } from '../evidence/evidence-keeper.ts';
import type { Fields } from '../fields/field.ts';
import type { ActionDefinition, ClientLookup } from './action.ts';
import { clientOfVerification } from './caller.ts';

/** An input about one verification. */
export interface OnVerification {
  readonly verificationId: string;
}

export const verificationField: Fields<OnVerification> = { verificationId: { kind: 'id', by: 'page' } };

/** An input about one file of a verification. */
export interface OnFile extends OnVerification {
  readonly fileId: string;
  /** A drawn page; without it the file itself. */
  readonly page?: number | undefined;
  /** The small picture, instead of a drawn page. */
  readonly thumbnail?: boolean | undefined;
}

const fileFields: Fields<OnFile> = {
  verificationId: { kind: 'id', by: 'page' },
  fileId: { kind: 'id', by: 'page' },
  page: { kind: 'number', integer: true, min: 1, max: PDF_PAGES_MAX, by: 'page', optional: true },
  thumbnail: { kind: 'flag', by: 'page', optional: true },
};

/** A read of a file. The audit log names the verification and its client, and the part of the file that was read. */
export const fileRead: Pick<ActionDefinition<OnFile, FilePart>, 'fields' | 'audit'> = {
  fields: fileFields,
  audit: { target: 'verificationId', client: clientOfVerification, keep: ['fileId', 'page', 'thumbnail'] },
};

/** What to read of a file: undefined for the file itself. */
export function partOf({ page, thumbnail }: OnFile): FilePartName | undefined {
  return thumbnail === true ? 'thumbnail' : page;
}

/** The audit log names the verification and its client. */
export const aboutVerification: { readonly target: 'verificationId'; readonly client: ClientLookup } = {
  target: 'verificationId',
  client: clientOfVerification,
};

/** An input about any client, for operators. */
export interface OnClient {
  readonly clientId: string;
}

export const clientField: Fields<OnClient> = { clientId: { kind: 'id', by: 'page' } };

export const aboutClient = { target: 'clientId', client: 'clientId' } as const;

/** A read of the caller's own client or of the installation. It has no input, and only refusals are recorded. */
export const plainRead = { fields: {}, audit: { log: 'refusals' } } as const;

/** A read of any client, for operators. */
export const clientRead = {
  fields: { clientId: { kind: 'id', by: 'page' } },
  audit: { log: 'refusals', target: 'clientId', client: 'clientId' },
  outcomes: ['CLIENT_NOT_FOUND'],
} as const;
