import { PDF_PAGES_MAX } from '../evidence/evidence-file.ts';
import type { Fields } from '../fields/field.ts';
import type { ClientLookup } from './action.ts';
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
}

export const fileFields: Fields<OnFile> = {
  verificationId: { kind: 'id', by: 'page' },
  fileId: { kind: 'id', by: 'page' },
  page: { kind: 'number', integer: true, min: 1, max: PDF_PAGES_MAX, by: 'page', optional: true },
};

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
