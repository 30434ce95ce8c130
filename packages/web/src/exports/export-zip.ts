import type { ExportDownload, ExportedFile } from '@countersign/domain';
import type { Page } from '../site/page.ts';
import { dataFile } from './data-file.ts';
import { DATA_FILE, personalDocument } from './document.tsx';
import { pathOf } from './file-link.tsx';
import { type ZipEntry, zipStream } from './zip.ts';

/**
 * Makes the zip of an export: the files, the document in the language of `page`, and the same data as JSON. Files are read while the zip is
 * sent, so the texts come last: they name each file that could not be read. The document is also written before this returns, so that a
 * fault in it gets an error page. An export that ends in the meantime, or whose data is being erased, breaks the zip off.
 *
 * @param onFault gets the fault that breaks the zip off
 */
export async function exportZip(
  { data, flow, readFile, requireStill }: ExportDownload,
  page: Page,
  onFault: (fault: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const lastModified = data.exportedAt;
  const complete = await personalDocument({ data, flow, page });

  async function* entries(): AsyncGenerator<ZipEntry> {
    const unreadable: ExportedFile[] = [];
    for (const file of data.files) {
      const part = await readFile(file.id);
      if (part === null) unreadable.push(file);
      else yield { name: pathOf(file), content: part.content, lastModified: new Date(file.uploadedAt) };
    }
    const document = unreadable.length === 0 ? complete : await personalDocument({ data, unreadable, flow, page });
    for (const [name, content] of [
      ['index.html', document],
      [DATA_FILE, dataFile(data, unreadable)],
    ] as const) {
      await requireStill();
      yield { name, content, lastModified };
    }
    // The directory of the zip follows.
    await requireStill();
  }

  return zipStream(entries(), onFault);
}
