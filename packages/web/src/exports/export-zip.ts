import type { ExportDownload } from '@countersign/domain';
import type { Page } from '../site/page.ts';
import { dataFile } from './data-file.ts';
import { DATA_FILE, personalDocument } from './document.tsx';
import { pathOf } from './file-link.tsx';
import { type ZipEntry, zipStream } from './zip.ts';

/**
 * Makes the zip of an export: the document in the language of `page`, the same data as JSON, and the files. The document is written
 * before this returns, so that a fault in it gets an error page; files are read while the zip is sent. An export that ends in the
 * meantime, or whose data is being erased, breaks the zip off.
 *
 * @param onFault gets the fault that breaks the zip off
 */
export async function exportZip(
  { data, flow, readFile, requireStill }: ExportDownload,
  page: Page,
  onFault: (fault: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const lastModified = data.exportedAt;
  const texts: readonly ZipEntry[] = [
    { name: 'index.html', content: await personalDocument({ data, flow, page }), lastModified },
    { name: DATA_FILE, content: dataFile(data), lastModified },
  ];

  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const text of texts) {
      await requireStill();
      yield text;
    }
    for (const file of data.files) {
      const { content } = await readFile(file.id);
      yield { name: pathOf(file), content, lastModified: new Date(file.uploadedAt) };
    }
    // The directory of the zip follows.
    await requireStill();
  }

  return zipStream(entries(), onFault);
}
