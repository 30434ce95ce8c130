import { type EvidenceFile, fileNameOf } from '../evidence/evidence-file.ts';
import type { DocumentView } from '../verification/views.ts';

/** A file of an export. */
export interface ExportedFile extends DocumentView {
  /** Its name in the export, unique there: `document_front.jpg`, `document_front-2.jpg`. */
  readonly name: string;
}

/** Names files by what they show, and numbers those of one kind in the order of their upload. No name is chosen by the subject. */
export function exportedFiles(documents: readonly DocumentView[]): ExportedFile[] {
  const counts = new Map<EvidenceFile['kind'], number>();
  return documents.map((document) => {
    const count = (counts.get(document.kind) ?? 0) + 1;
    counts.set(document.kind, count);
    return { ...document, name: fileNameOf(document, count) };
  });
}

/** Returns the path of a file in the zip of an export. */
export function exportedPath({ name }: Pick<ExportedFile, 'name'>): string {
  return `files/${name}`;
}
