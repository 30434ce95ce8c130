import { archiveEntries, DATA_FILE, dataFile, type ExportDownload } from '@countersign/domain/exports';
import type { Download } from '../site/download.ts';
import type { Page } from '../site/page.ts';
import { zipDownload } from '../site/zip.ts';
import { personalDocument } from './document.tsx';

/**
 * Makes the zip of an export: the files, the document in the language of `page`, and the same data as JSON. Files are read while the zip is
 * sent, so the texts come last: they name each file that could not be read. The document is also written before this returns, so that a
 * fault in it gets an error page. An export that ends in the meantime, or whose data is being erased, breaks the zip off.
 */
export async function exportZip(
  { data, flow, readFile, requireStill }: ExportDownload,
  page: Page,
): Promise<Download> {
  const complete = await personalDocument({ data, flow, page });
  const entries = archiveEntries({
    ...data,
    readFile,
    requireStill,
    texts: async (unreadable) => [
      [
        'index.html',
        unreadable.length === 0 ? complete : await personalDocument({ data, unreadable, flow, page }),
      ],
      [DATA_FILE, dataFile(data, unreadable)],
    ],
  });
  const day = data.exportedAt.toISOString().slice(0, 'YYYY-MM-DD'.length);
  return zipDownload(`personal-data-${day}.zip`, entries);
}
