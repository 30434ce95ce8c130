import { writeFile } from 'node:fs/promises';
import { readRetentionReport } from '@countersign/domain/actions';
import type { Erasure, RetentionReport } from '@countersign/domain/retention';
import type { ActionCommands } from './action-command.ts';
import type { CommandContext } from './command-context.ts';

/** Adds `client retention-report`. */
export function addRetentionReportCommand({ add }: ActionCommands, context: CommandContext): void {
  add({
    name: 'client retention-report',
    description: 'print what was erased of the verifications of a client in a month, as CSV',
    action: readRetentionReport,
    options: {
      month: { help: 'calendar month in UTC, such as 2026-11' },
      html: { isSwitch: true, help: 'a page to print instead of CSV' },
      output: { value: '<file>', isOptional: true, help: 'write to a new file instead of standard output' },
    },
    input: ({ clientId, month }) => ({ clientId, month }),
    async print(report, _, __, { html, output }) {
      const { client, month, total, totals } = report;
      if (typeof output === 'string') {
        // Refuses to replace a file.
        await writeFile(output, await piecesOf(report, html === true), { flag: 'wx', mode: 0o600 });
        const json = { client, month, total, totals, file: output };
        return { json, text: `The report of ${client.name} for ${month} is in ${output} (erasures: ${total})` };
      }
      if (context.isJson()) {
        return { json: { client, month, total, totals, erasures: await whole(report) }, text: '' };
      }
      for await (const piece of await piecesOf(report, html === true)) context.out(piece);
      return null;
    },
  });
}

/** Writes the report piece by piece. The pages are loaded for this command alone. */
async function piecesOf(report: RetentionReport, isHtml: boolean): Promise<AsyncIterable<string>> {
  const { retentionReportCsv, retentionReportDocument } = await import('@countersign/web');
  return isHtml ? retentionReportDocument(report, 'en') : retentionReportCsv(report);
}

async function whole({ erasures }: RetentionReport): Promise<readonly Erasure[]> {
  const all: Erasure[] = [];
  for await (const erasure of erasures()) all.push(erasure);
  return all;
}
