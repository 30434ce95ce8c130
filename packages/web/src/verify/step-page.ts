import type { EvidenceKind, JsonObject, StepKey } from '@countersign/domain';
import type { FieldSpec } from './fields/field-spec.ts';
import type { PageSlug } from './page-slug.ts';

interface CommonPage {
  /** Last part of its address, unique within a flow: `/verify/{id}/{slug}`. */
  readonly slug: PageSlug;
  readonly step: StepKey;
  /** Whether the answers so far call for this page. Left out: always. */
  readonly when?: (answers: JsonObject) => boolean;
}

/** A page that asks for text, dates and choices. */
export interface FormPage extends CommonPage {
  readonly kind: 'form';
  readonly fields: readonly FieldSpec[];
  /** What stands above the fields beside the title. */
  readonly intro?: 'consent' | undefined;
}

/** A page that asks for one file. Where the answers name it, `uploadPlace` says. */
export interface UploadPage extends CommonPage {
  readonly kind: 'upload';
  readonly evidence: EvidenceKind;
}

/** One page of a step. */
export type StepPage = FormPage | UploadPage;
