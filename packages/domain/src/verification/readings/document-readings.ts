import { VerificationFault } from '../../errors.ts';
import type { EvidenceFile } from '../../evidence/evidence-file.ts';
import type { EvidencePlace } from '../../evidence/evidence-store.ts';
import type { DocumentReader } from '../../reading/document-reader.ts';
import { acceptReading, type DocumentReading } from '../../reading/document-reading.ts';
import type { ReadingRepository } from '../../reading/reading-repository.ts';
import { fromReadingRecord, type StoredReading, toReadingRecord } from '../../reading/stored-reading.ts';
import type { Client } from '../../subscription/client-repository.ts';
import type { FlowRules, ReadFlowRules } from '../../subscription/flow-rules.ts';
import type { BasePorts } from '../base-ports.ts';
import { type StepKey, stepOf } from '../flow.ts';
import { fromRecord } from '../from-record.ts';
import { isActive } from '../status.ts';
import type { Verification } from '../verification.ts';
import { type Prefill, prefillOf } from './prefill.ts';
import { chosenSoFar, documentUses, isReadKind, readDocumentSoFar, readingsIn } from './read-document.ts';
import { type ReadingState, readingStates } from './reading-state.ts';
import { sampleReading } from './sample-reading.ts';

/** Readings of documents. They advise: nothing read decides anything. */
export interface DocumentReadings {
  /**
   * Reads a picture of the document that was just attached, and stores the reading if the verification still has the file then and is not
   * decided. It resolves when that is done, so an upload does not wait for it. Never rejects: faults go to `onFault`. Other files are ignored.
   */
  readUpload(verification: Verification, file: EvidenceFile, content: Uint8Array): Promise<void>;
  /**
   * Reads pictures of the current document once more whose reading is missing or failed, each at most twice in all: for a reviewer
   * who opens the verification. Never rejects.
   */
  readAgain(verification: Verification): Promise<void>;
  /** Returns the readings of files that the verification has. */
  of(verification: Verification): Promise<readonly StoredReading[]>;
  /**
   * Returns what pages of a step that has pictures of the document, or pages on their screen, are filled in with; null if nothing is read for
   * the subject.
   */
  offersFor(verification: Verification, pages: readonly OfferedPage[]): Promise<ReadingOffers | null>;
  /** Resolves when the readings that began are stored or dropped. */
  settled(): Promise<void>;
}

/** A picture that is being read, or waits for the reader. */
interface Running {
  readonly verificationId: string;
  /** Resolves when the reading is stored or dropped. */
  readonly stored: Promise<void>;
}

/** A page of a step, by its fields. */
export interface OfferedPage {
  readonly step: StepKey;
  readonly fields: readonly { readonly path: string }[];
}

/** What was read for the fields of a screen. */
export interface ReadingOffers {
  readonly state: ReadingState;
  /** By the paths of the fields. */
  readonly values: ReadonlyMap<string, Prefill>;
}

/** How often the reader tries a picture at most. */
const MAX_ATTEMPTS = 2;

/**
 * The most pictures of one verification that are read, or wait for the reader, in this process: both sides of a document, each taken again
 * once. Further ones are not tried, so that one link cannot fill the queue for everyone.
 */
const WAITING_PICTURES_MAX = 4;

/** Replaces the reader while a verification has the most pictures. A further picture is not tried, which costs it no attempt. */
const NO_PLACE: DocumentReader = { read: async () => ({ outcome: 'off', readerVersion: 'none', fields: {} }) };

/** How often a reading that lost a race with a change is stored again. */
const SAVES = 5;

export function createDocumentReadings(
  ports: Pick<BasePorts, 'clients' | 'clock' | 'evidence' | 'flows' | 'onFault' | 'verifications'> & {
    readings: ReadingRepository;
    /** Without it, nothing is read. */
    reader: DocumentReader | undefined;
    readFlowRules: ReadFlowRules;
    /** Called when a reading of a verification that waits for a decision was stored. */
    onStored: (place: EvidencePlace) => void;
  },
): DocumentReadings {
  const { clients, clock, evidence, flows, onFault, verifications, readings, reader, readFlowRules, onStored } =
    ports;
  /** The files that are being read here, by id. */
  const running = new Map<string, Running>();

  async function clientOf({ clientId }: Verification): Promise<Client> {
    const found = await clients.find(clientId);
    if (found === null) throw new Error(`The client ${clientId} is missing`);
    return found.client;
  }

  /** Returns the stored readings. Those that cannot be read are reported and left out: they only advise. */
  async function storedOf(verification: Verification): Promise<readonly StoredReading[]> {
    const { clientId, id: verificationId, files } = verification;
    if (files.length === 0) return [];
    try {
      const records = await readings.find({ clientId, verificationId });
      return records.flatMap((record) => fromReadingRecord(record) ?? []);
    } catch (fault) {
      if (!(fault instanceof VerificationFault)) throw fault;
      onFault(fault);
      return [];
    }
  }

  /** Asks the reader. @returns a failed reading if it rejects */
  async function ask(
    by: DocumentReader,
    verification: Verification,
    { contentType }: EvidenceFile,
    content: Uint8Array,
  ): Promise<DocumentReading> {
    try {
      return acceptReading(await by.read({ content, contentType, ...chosenSoFar(verification) }));
    } catch (fault) {
      onFault(fault);
      return acceptReading(undefined);
    }
  }

  /** Reads a file, or waits for the reading of it that has begun. */
  async function readOne(
    verification: Verification,
    file: EvidenceFile,
    contentOf: () => Promise<Uint8Array>,
    attemptsBefore: number,
  ): Promise<void> {
    if (reader === undefined) return;
    const begun = running.get(file.id);
    if (begun !== undefined) return begun.stored;
    const by = hasPlace(verification) ? reader : NO_PLACE;
    const stored = readNow(by, verification, file, contentOf, attemptsBefore).finally(() =>
      running.delete(file.id),
    );
    running.set(file.id, { verificationId: verification.id, stored });
    await stored;
  }

  /** Whether one more picture of the verification may wait for the reader. */
  function hasPlace({ id }: Verification): boolean {
    const own = [...running.values()].filter(({ verificationId }) => verificationId === id);
    return own.length < WAITING_PICTURES_MAX;
  }

  async function readNow(
    by: DocumentReader,
    verification: Verification,
    file: EvidenceFile,
    contentOf: () => Promise<Uint8Array>,
    attemptsBefore: number,
  ): Promise<void> {
    try {
      const client = await clientOf(verification);
      const rules = await readFlowRules(client);
      const reading =
        client.testOf === null
          ? await ask(by, verification, file, await contentOf())
          : sampleReading(verification, { ...rules, now: clock.now() });
      const attempts = attemptsBefore + (reading.outcome === 'off' ? 0 : 1);
      await store(verification, file, { reading, rules, attempts });
    } catch (fault) {
      onFault(fault);
    }
  }

  /** Stores a reading, unless the verification no longer has the file or was decided meanwhile. */
  async function store(
    { clientId, id: verificationId }: Verification,
    { id: fileId, sha256 }: EvidenceFile,
    { reading, rules, attempts }: { reading: DocumentReading; rules: FlowRules; attempts: number },
  ): Promise<void> {
    const place: EvidencePlace = { clientId, verificationId, fileId };
    const isOffered = !rules.readingIsAdvice;
    const record = toReadingRecord({ ...place, ...reading, readAt: clock.now(), sha256, isOffered, attempts });
    for (let attempt = 1; attempt <= SAVES; attempt += 1) {
      const owner = await verifications.find(clientId, verificationId);
      if (owner === null || owner.erasedAt !== null || !isActive(owner.status)) return;
      if (!fromRecord(owner, flows).files.some(({ id }) => id === fileId)) return;
      if (!(await readings.save(record, owner.version))) continue;
      if (owner.status === 'submitted') onStored(place);
      return;
    }
  }

  return {
    of: async (verification) => readingsIn(verification, await storedOf(verification)),

    async readUpload(verification, file, content) {
      if (isReadKind(verification, file)) await readOne(verification, file, async () => content, 0);
    },

    async readAgain(verification) {
      try {
        const stored = readingsIn(verification, await storedOf(verification));
        for (const { file } of documentUses(verification)) {
          const reading = stored.find(({ fileId }) => fileId === file.id);
          if (!mayReadAgain(reading)) continue;
          const { clientId, id: verificationId } = verification;
          const contentOf = async () => (await evidence.read({ clientId, verificationId }, file)).content;
          await readOne(verification, file, contentOf, reading?.attempts ?? 0);
        }
      } catch (fault) {
        onFault(fault);
      }
    },

    async offersFor(verification, pages) {
      const rules = await readFlowRules(verification.clientId);
      if (rules.readingIsAdvice) return null;
      const stored = await storedOf(verification);
      const states = readingStates(verification, stored, { now: clock.now(), isOn: reader !== undefined });
      const state = states.find(({ step }) => pages.some((page) => page.step === step))?.state;
      if (state === undefined || state === 'unread') return null;
      const document = readDocumentSoFar(verification, stored);
      const values = pages.flatMap(({ step, fields }) => {
        const all = prefillOf(stepOf(verification.flow, step)?.fields ?? {}, document);
        return [...all].filter(([path]) => fields.some((field) => field.path === path));
      });
      return { state, values: new Map(values) };
    },

    async settled() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ stored }) => stored));
    },
  };
}

/** Whether a picture is read again. */
function mayReadAgain(reading: StoredReading | undefined): boolean {
  if (reading === undefined) return true;
  return (reading.outcome === 'failed' || reading.outcome === 'off') && reading.attempts < MAX_ATTEMPTS;
}
