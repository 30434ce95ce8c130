import { z } from 'zod';
import type { Issue } from '../../errors.ts';
import { country, date, dayOf, fileId, text } from './fields.ts';
import type { Partly } from './partly.ts';
import { type FileReference, reference, type StepContext } from './step.ts';

export const DOCUMENT_TYPES = ['passport', 'id_card', 'driving_licence', 'residence_permit'] as const;

/** An identity document of a person, with its pictures. */
export interface IdentityDocument {
  readonly type: (typeof DOCUMENT_TYPES)[number];
  readonly issuingCountry: string;
  readonly number: string;
  readonly expiresOn?: string | undefined;
  readonly frontFileId: string;
  /** Needed unless it is a passport. */
  readonly backFileId?: string | undefined;
}

export const documentShape: { [K in keyof IdentityDocument]-?: z.ZodType<IdentityDocument[K]> } = {
  type: z.enum(DOCUMENT_TYPES),
  issuingCountry: country,
  number: text(50),
  expiresOn: date.optional(),
  frontFileId: fileId,
  backFileId: fileId.optional(),
};

export const identityDocument: z.ZodType<IdentityDocument> = z.strictObject(documentShape);

/** `prefix` says where the document stands in the answers: empty or `document.`. */
export function documentRules(document: Partly<IdentityDocument>, { now }: StepContext, prefix = ''): Issue[] {
  const issues: Issue[] = [];
  const { type, backFileId } = document;
  if (document.expiresOn !== undefined && document.expiresOn < dayOf(now)) {
    issues.push({ path: `${prefix}expiresOn`, message: 'the document has expired', code: 'document_expired' });
  }
  if (type !== undefined && type !== 'passport' && backFileId === undefined) {
    const message = 'the back is needed unless the document is a passport';
    issues.push({ path: `${prefix}backFileId`, message, code: 'back_needed' });
  }
  return issues;
}

export function documentFiles(document: Partly<IdentityDocument>, prefix = ''): FileReference[] {
  return [
    ...reference(`${prefix}frontFileId`, document.frontFileId, 'document_front'),
    ...reference(`${prefix}backFileId`, document.backFileId, 'document_back'),
  ];
}
