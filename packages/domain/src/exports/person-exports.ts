import { z } from 'zod';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { AuditRecorder } from '../audit/audit-recorder.ts';
import { CountersignError, isCountersignError } from '../errors.ts';
import { type EvidenceKeeper, type FilePart, unknownFile } from '../evidence/evidence-keeper.ts';
import { parseInput } from '../input/parse.ts';
import type { ReadPause } from '../retention/data-state.ts';
import type { ReadAppearances, ShownAppearance } from '../subscription/manage-appearances.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import type { Flow } from '../verification/flow.ts';
import type { Links } from '../verification/link.ts';
import type { FindWithData, RulesOf } from '../verification/retained.ts';
import type { CurrentExport } from './current-export.ts';
import { isCode } from './export-code.ts';
import type { ExportRepository } from './export-repository.ts';
import { EXPORT_CODE_ATTEMPTS, type ExportRequest, exportStateOf, isReleased } from './export-request.ts';
import { createLatestDownloads } from './latest-downloads.ts';
import { type PersonalData, personalDataOf } from './personal-data.ts';
import { readOrReport } from './readable-file.ts';

/** What the download page shows before the code is entered: nothing about the person. */
export interface ExportPage {
  /** The client as its subjects see it. */
  readonly appearance: ShownAppearance;
  /** When link and code end. */
  readonly expiresAt: Date;
}

/** The link of a release, and the code that the person entered. */
export interface ExportEntry {
  /** The last part of the link: `{id}.{token}`. */
  readonly link: string;
  /** Upper or lower case, with or without spaces and hyphens; `O` counts as `0`, `I` and `L` as `1`. */
  readonly code: string;
}

/** An export whose code was right. */
export interface ExportDownload {
  readonly data: PersonalData;
  /** The flow that the verification began with; its fields label the answers. */
  readonly flow: Flow;
  /**
   * Reads a file of `data.files`. Nothing is returned of an export that ended in the meantime or whose verification is being erased.
   * @returns null if the content is missing or cannot be read, which is also reported to `onFault`: name the file in what the person
   *   gets. The release stays, for a download after the repair
   * @throws CountersignError `EXPORT_NOT_FOUND` then, `FILE_NOT_FOUND` for another id
   */
  readFile(fileId: string): Promise<FilePart | null>;
  /**
   * Requires that the export did not end, that no erasure of the data began, and that no later download of the release began in this
   * process.
   * @throws CountersignError `EXPORT_NOT_FOUND`
   */
  requireStill(): Promise<void>;
}

/** Downloads of exports by people, who have a link and a code. */
export interface PersonExports {
  /**
   * Opens the page of a link. Changes nothing.
   * @throws CountersignError `EXPORT_NOT_FOUND` if the link is unknown, replaced by a later release, or has ended; or the data is erased
   */
  openPage(link: string): Promise<ExportPage>;
  /**
   * Reads the data if the code is right, up to `EXPORT_DOWNLOADS` times. Each download is recorded in the audit log, and so
   * are wrong codes: the first with an entry, others in a summary. A download ends the one of the same release that is under way.
   * @throws CountersignError `EXPORT_NOT_FOUND` as `openPage`; `EXPORT_CODE_WRONG` with `data.attemptsLeft`: with 0 the export has ended;
   * `INVALID_PARAMETERS` for an empty or very long code, which is not counted
   */
  download(entry: ExportEntry): Promise<ExportDownload>;
  /**
   * Ends every release. Call it before the first requests after a backup was restored: some of its releases ended after it was made.
   * @returns how many ended
   */
  endAll(): Promise<number>;
}

/** A release: its code works now. */
type Release = ExportRequest & { readonly codeHash: string; readonly expiresAt: Date };

/** Longer than any code with spaces and hyphens in it. */
const CODE_MAX = 100;
const codeSchema = z.string().trim().min(1).max(CODE_MAX);

export function createPersonExports(
  ports: Pick<BasePorts, 'clock' | 'links' | 'onFault' | 'secrets'> & {
    exports: ExportRepository;
    appearances: Pick<ReadAppearances, 'shown'>;
    findWithData: FindWithData;
    isErased: (verification: Pick<ExportRequest, 'clientId' | 'verificationId'>) => Promise<boolean>;
    rulesOf: RulesOf;
    readPause: ReadPause;
    current: CurrentExport;
    evidence: Pick<EvidenceKeeper, 'read'>;
    recorder: AuditRecorder;
    /** Whether the service erases data at the end of its period. */
    erasesData: boolean;
    /** Links of verifications. */
    verificationLinks: Links;
  },
): PersonExports {
  const { exports, appearances, findWithData, isErased, rulesOf, readPause, current, evidence, recorder } = ports;
  const { links, verificationLinks, clock, secrets, onFault, erasesData } = ports;
  const latest = createLatestDownloads(clock);

  /** Finds a release whose code works now. @throws CountersignError `EXPORT_NOT_FOUND` */
  async function working(id: string): Promise<Release> {
    const stored = await exports.find(id);
    const found = stored && (await current(stored));
    if (found === null || !isReleased(found, clock.now())) throw notFound();
    const { codeHash, expiresAt } = found;
    if (codeHash === null || expiresAt === null || (await isErased(found))) throw notFound();
    return { ...found, codeHash, expiresAt };
  }

  async function releaseOf(link: string): Promise<Release> {
    try {
      const release = await working(links.idIn(link));
      links.check(link, release.id, release.linkVersion);
      if (exportStateOf(release, clock.now()) !== 'released') throw notFound();
      return release;
    } catch (error) {
      throw isCountersignError(error, 'LINK_INVALID') ? notFound() : error;
    }
  }

  /** Requires that the release was neither replaced nor ended, nor its data erased, since it was read. */
  async function requireStill({ id, linkVersion }: Release): Promise<void> {
    if ((await working(id)).linkVersion !== linkVersion) throw notFound();
  }

  async function appearanceOf(clientId: string): Promise<ShownAppearance> {
    const appearance = await appearances.shown(clientId);
    if (appearance === null) throw new Error(`The client ${clientId} of an export is missing`);
    return appearance;
  }

  async function open(release: Release): Promise<ExportDownload> {
    const { clientId, verificationId } = release;
    const { outcome } = await exports.markDownloaded(release, clock.now());
    if (outcome === 'ended') throw notFound();
    const isLatest = latest.begin(release);
    const found = await findWithData(clientId, verificationId);
    if (found === null) throw notFound();
    const now = clock.now();
    const [{ name: clientName }, rules, pausedUntil] = await Promise.all([
      appearanceOf(clientId),
      rulesOf(clientId),
      readPause(now),
    ]);
    const data = personalDataOf(found, {
      clientName,
      erasesData,
      rules,
      pausedUntil,
      links: verificationLinks,
      now,
    });
    const require = async (): Promise<void> => {
      if (!isLatest()) throw notFound();
      await requireStill(release);
    };
    // After the reading: what an erasure has begun to remove is not handed out.
    await require();
    return {
      data,
      flow: found.verification.flow,
      async readFile(fileId) {
        const file = found.verification.files.find(({ id }) => id === fileId);
        if (file === undefined) throw unknownFile();
        await require();
        const part = await readOrReport({ evidence, onFault }, { clientId, verificationId }, file);
        await require();
        return part;
      },
      requireStill: require,
    };
  }

  return {
    async openPage(link) {
      const { clientId, expiresAt } = await releaseOf(link);
      return { appearance: await appearanceOf(clientId), expiresAt };
    },

    async download({ link, code }) {
      const release = await releaseOf(link);
      const entered = parseInput(z.strictObject({ code: codeSchema }), { code }).code;
      const { clientId, verificationId: targetId } = release;
      const actor = { kind: 'anonymous', id: null } as const;
      // Audit entries outlast the erasure, and this one names the person's verification: it stores no network address.
      const attempt = { actor, from: null, action: DOWNLOAD_ACTION, clientId, targetId, detail: {} };
      const { id: exportId, codeHash } = release;
      if (isCode(secrets, { exportId, codeHash }, entered)) {
        return recorder.act({ attempt, run: () => open(release) });
      }
      const count = await exports.countWrongCode(release);
      await recorder.refused(attempt, 'EXPORT_CODE_WRONG');
      if (count === null) throw notFound();
      throw new CountersignError('EXPORT_CODE_WRONG', undefined, {
        data: { attemptsLeft: EXPORT_CODE_ATTEMPTS - count },
      });
    },

    endAll: () => exports.endAll(clock.now()),
  };
}

/** The action of the audit entries of downloads. */
export const DOWNLOAD_ACTION: AuditAction = 'exports.download';

function notFound(): CountersignError {
  return new CountersignError('EXPORT_NOT_FOUND');
}
