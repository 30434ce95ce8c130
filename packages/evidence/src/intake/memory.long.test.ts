import { writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test } from 'vitest';
import { largePictures } from '../../test-support/large-pictures.ts';
import { run } from '../../test-support/process.ts';

/** What this process may have. A whole server has a base of about 150 MB where this process has 100, and may have 250. */
const MAX_MB = 200;
/**
 * The decoders together: a heavy, a light and a small one at most, whose own peaks depend on the file alone. From source they are 240 to
 * 290, 102 and 74 MB, built 15 MB less each. Pages that processes share count once (`Pss`).
 */
const DECODERS_MAX_MB: number = 450 + 3 * 15;

/** Photos, and those that need most memory. Twenty photos at once are uploaded to a real server in tests/e2e. */
const UPLOADS: readonly string[] = [
  'phone.jpg',
  'light.jpg',
  'small.jpg',
  'progressive.jpg',
  'phone.heic',
  'plain.png',
  'interlaced.png',
  'lossless.webp',
  ...Array.from({ length: 7 }, () => ['light.jpg', 'small.jpg']).flat(),
].slice(0, 20);

interface Report {
  readonly base: number;
  readonly peak: number;
  /** Of the decoders together, most at one time. */
  readonly decoding: number;
  readonly decoders: number;
  readonly received: number;
  readonly hasLibvips: boolean;
}

const RECEIVE_ALL = `
  import { createReadStream, readFileSync } from 'node:fs';
  import { ownedChunk } from '@countersign/domain/evidence';
  import { createEvidenceIntake } from './src/index.ts';
  import { children, memoryOf } from './test-support/memory.ts';
  const [spoolDirectory, ...pictures] = process.argv.slice(1);
  const base = memoryOf('self', 'status', 'VmRSS');
  let decoding = 0;
  let decoders = 0;
  const watching = setInterval(() => {
    const running = children();
    decoders = Math.max(decoders, running.length);
    const sizes = running.map((pid) => memoryOf(pid, 'smaps_rollup', 'Pss'));
    decoding = Math.max(decoding, sizes.reduce((sum, size) => sum + size, 0));
  }, 50);
  // Six minutes on the clock: a busy machine refuses no picture.
  const intake = createEvidenceIntake({ spoolDirectory, decodeDeadlineMs: 60_000 });
  // As the server passes chunks on: otherwise this would measure when the garbage collector runs.
  async function* chunksOf(picture) {
    for await (const chunk of createReadStream(picture)) yield ownedChunk(chunk);
  }
  const uploads = pictures.map(chunksOf);
  const sizes = await Promise.all(uploads.map(async (upload) => (await intake.receive(upload, { pdf: false })).content.byteLength));
  clearInterval(watching);
  console.log(JSON.stringify({ base, peak: memoryOf('self', 'status', 'VmHWM'), decoding, decoders, received: sizes.length, hasLibvips: readFileSync('/proc/self/maps', 'utf8').includes('libvips') }));
`;

test.runIf(platform() === 'linux')(
  '20 uploads of 25 MB and up to 40 megapixels at once: this process stays within 200 MB, its decoders within 495',
  { timeout: 900_000 },
  async () => {
    const folder = temporaryDirectory(onTestFinished);
    for (const [name, content] of Object.entries(await largePictures())) {
      expect(content.byteLength, name).toBe(UPLOAD_MAX_BYTES);
      writeFileSync(join(folder, name), content);
    }
    const paths = UPLOADS.map((name) => join(folder, name));

    const { code, output, errors } = await run(onTestFinished, RECEIVE_ALL, [join(folder, 'spool'), ...paths])
      .ended;

    expect(errors).toBe('');
    expect(code).toBe(0);
    process.stderr.write(`memory of uploads at once, in MB: ${output}`);
    const { peak, decoding, decoders, received, hasLibvips } = JSON.parse(output) as Report;
    expect(received).toBe(UPLOADS.length);
    expect(decoders).toBe(3);
    expect(hasLibvips, 'nothing of the library is loaded here').toBe(false);
    expect(peak).toBeLessThan(MAX_MB);
    expect(decoding).toBeLessThan(DECODERS_MAX_MB);
  },
);
