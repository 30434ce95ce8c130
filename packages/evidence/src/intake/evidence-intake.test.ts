// Each file is decoded in a process of its own, and some are as hard to decode as the limits allow.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import {
  EVIDENCE_MAX_BYTES,
  type EvidenceIntake,
  PDF_PAGES_MAX,
  PICTURE_MIN_SIDE,
  UPLOAD_MAX_BYTES,
} from '@countersign/domain/evidence';
import { blackPng } from '@countersign/test-support/attack-files/png-files';
import { denseJpeg } from '@countersign/test-support/pages/pictures';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import sharp from 'sharp';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { heic, heicOfOddSize, heicOfSize, heicOfTwo } from '../../test-support/heic.ts';
import { nestedForms, pdf } from '../../test-support/pdf.ts';
import { pdfWithPicture } from '../../test-support/pdf-file.ts';
import { card, plain } from '../../test-support/pictures.ts';
import { runWithSmallFiles } from '../../test-support/process.ts';
import { upload } from '../../test-support/upload.ts';
import { zip } from '../../test-support/zip.ts';
import { createEvidenceIntake, type EvidenceIntakeOptions } from './evidence-intake.ts';

const CANARY = 'canary-7f3a91';
const PICTURES = { pdf: false };
const ANYTHING = { pdf: true };

interface Given {
  readonly intake: EvidenceIntake;
  readonly spoolDirectory: string;
}

function given(options: Omit<EvidenceIntakeOptions, 'spoolDirectory'> = {}): Given {
  const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
  const intake = createEvidenceIntake({ spoolDirectory, ...options });
  onTestFinished(() => expect(readdirSync(spoolDirectory), 'left in the spool folder').toEqual([]));
  return { intake, spoolDirectory };
}

const contains = (bytes: Uint8Array, text: string): boolean => Buffer.from(bytes).includes(text);
const joined = (...parts: (Uint8Array | readonly number[] | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** @returns the content, filled up to this size */
function padded(content: Uint8Array, bytes: number, filler = '\0'): Buffer {
  return joined(content, Buffer.alloc(bytes - content.byteLength, filler));
}

describe('accepted uploads', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('a %s picture is redrawn as JPEG', async (format) => {
    const { intake } = given();
    const content = await (await card()).toFormat(format).toBuffer();

    const file = await intake.receive(upload(content), PICTURES);

    expect(file).toMatchObject({ contentType: 'image/jpeg', warnings: [] });
    expect(file.sha256).toBe(createHash('sha256').update(file.content).digest('hex'));
    expect(await sharp(file.content).metadata()).toMatchObject({ format: 'jpeg', width: 1600, height: 1200 });
    const thumbnail = file.thumbnail?.content ?? new Uint8Array();
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 240 });
    expect(file.thumbnail?.sha256).toBe(createHash('sha256').update(thumbnail).digest('hex'));
    expect(thumbnail.byteLength).toBeLessThan(20_000);
  });

  test('a picture is redrawn to equal bytes each time, and another picture to different ones', async () => {
    const { intake } = given();
    const content = await (await card()).png().toBuffer();
    const digestOf = async (bytes: Uint8Array) => (await intake.receive(upload(bytes), PICTURES)).sha256;

    const first = await digestOf(content);

    expect(await digestOf(content)).toBe(first);
    const wider = await sharp(content).extend({ right: 1 }).png().toBuffer();
    expect(await digestOf(wider)).not.toBe(first);
  });

  test('the redrawn picture is upright, on white, in sRGB and without metadata', async () => {
    const { intake } = given();
    const red = await sharp({
      create: { width: 900, height: 600, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .withIccProfile('p3')
      .withExif({ IFD0: { Artist: CANARY } })
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer();

    const { content } = await intake.receive(upload(red), PICTURES);

    const header = await sharp(content).metadata();
    expect(header).toMatchObject({ width: 600, height: 900, space: 'srgb', hasProfile: false });
    expect([header.exif, header.icc, header.xmp, header.iptc, header.orientation]).toEqual(
      Array(5).fill(undefined),
    );
    expect(contains(content, CANARY)).toBe(false);
    expect((await sharp(content).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  test('a CMYK picture is accepted', async () => {
    const { intake } = given();
    const content = await plain().toColourspace('cmyk').jpeg().toBuffer();
    const file = await intake.receive(upload(content), PICTURES);
    expect((await sharp(file.content).metadata()).space).toBe('srgb');
  });

  test('a large picture is scaled down', async () => {
    const { intake } = given();
    const { content } = await intake.receive(upload(await plain(6000, 3000).png().toBuffer()), PICTURES);
    expect(await sharp(content).metadata()).toMatchObject({ width: 4096, height: 2048 });
  });

  test('a PDF is kept byte for byte where it is accepted, with its pages drawn', async () => {
    const { intake } = given();
    const content = pdf({ pages: [{ fill: '1 0 0' }, { fill: '0 0 1', size: [842, 595] }] });
    const file = await intake.receive(upload(content, 7), ANYTHING);
    expect(file).toMatchObject({ contentType: 'application/pdf', warnings: [] });
    expect(Buffer.from(file.content)).toEqual(content);
    const pages = await Promise.all((file.pages ?? []).map(shown));
    expect(pages).toEqual([
      { format: 'jpeg', width: 1413, height: 2000, colour: 'red' },
      { format: 'jpeg', width: 2000, height: 1413, colour: 'blue' },
    ]);
    const thumbnail = file.thumbnail?.content ?? new Uint8Array();
    expect(await shown(thumbnail)).toEqual({ format: 'jpeg', width: 226, height: 320, colour: 'red' });
  });

  test('a PDF with many pages: the first are drawn, and a warning says so', async () => {
    const { intake } = given();
    const pages = Array.from({ length: PDF_PAGES_MAX + 1 }, () => ({ fill: '1 0 0' }));
    const file = await intake.receive(upload(pdf({ pages })), ANYTHING);
    expect(file.pages).toHaveLength(PDF_PAGES_MAX);
    expect(file.warnings).toEqual(['pages_left_out']);
  });

  test('an upload in chunks of any size is accepted', async () => {
    const { intake } = given();
    const content = await plain().png().toBuffer();
    const [single, whole] = await Promise.all([
      intake.receive(upload(content, 1), PICTURES),
      intake.receive(upload(content, content.byteLength), PICTURES),
    ]);
    expect(single.sha256).toBe(whole.sha256);
  });
});

/** Tells how a page was drawn, and the colour that it is filled with. */
async function shown(page: Uint8Array) {
  const { format, width, height } = await sharp(page).metadata();
  const [red, , blue] = (await sharp(page).stats()).channels.map(({ mean }) => mean);
  return { format, width, height, colour: (red ?? 0) > (blue ?? 0) ? 'red' : 'blue' };
}

test('a blurred picture is accepted with a warning', async () => {
  const { intake } = given();
  const content = await (await card()).blur(8).jpeg({ quality: 85 }).toBuffer();
  expect((await intake.receive(upload(content), PICTURES)).warnings).toEqual(['blur']);
});

describe('uploads refused by content', () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;
  let gif: Uint8Array;
  let tiff: Uint8Array;
  let avif: Uint8Array;
  let animatedWebp: Uint8Array;
  let png: Uint8Array;
  let jpeg: Uint8Array;
  beforeAll(async () => {
    const frames = sharp([await plain().png().toBuffer(), await plain().negate().png().toBuffer()], {
      join: { animated: true },
    });
    [gif, tiff, avif, animatedWebp, png, jpeg] = await Promise.all([
      plain().gif().toBuffer(),
      plain(64, 48).tiff().toBuffer(),
      plain().avif({ effort: 0 }).toBuffer(),
      frames.webp().toBuffer(),
      plain().png().toBuffer(),
      plain().jpeg().toBuffer(),
    ]);
  });

  test.each<[string, RegExp, () => Uint8Array | string]>([
    ['SVG', /SVG/, () => svg],
    ['SVG with a declaration', /SVG/, () => `<?xml version="1.0"?>\n${svg}`],
    ['HTML', /web page/, () => `<!DOCTYPE html><html><body>${CANARY}</body></html>`],
    ['GIF', /GIF/, () => gif],
    ['a GIF that is a JAR', /GIF/, () => joined(gif, 'PK\x03\x04')],
    ['TIFF', /TIFF/, () => tiff],
    ['AVIF', /AVIF/, () => avif],
    ['HEIF with another codec', /HEVC/, () => heic(['hvc1', 'av01'])],
    ['animated WebP', /animated WebP/, () => animatedWebp],
    ['animated PNG', /animated PNG/, () => animatedPng(png, 0)],
    ['animated PNG behind 8 KB of text', /animated PNG/, () => animatedPng(png, 8192)],
    ['ZIP', /zip/, () => joined('PK\x03\x04', Buffer.alloc(100))],
    ['text', /kind of file/, () => 'hello'],
    ['PDF', /PDF/, () => pdf()],
    ['a JPEG behind HTML', /web page/, () => joined('<html><!--', jpeg)],
  ])('%s is refused with FILE_TYPE_REFUSED', async (_, message, content) => {
    const { intake } = given();
    const receiving = intake.receive(upload(Buffer.from(content())), PICTURES);
    await expect(receiving).rejects.toMatchObject({
      code: 'FILE_TYPE_REFUSED',
      message: expect.stringMatching(message),
    });
  });

  test.each<[string, string, () => Uint8Array]>([
    ['a PDF behind something else', 'FILE_TYPE_REFUSED', () => joined('GIF89a;\n', pdf())],
    ['a PDF behind an empty line', 'FILE_TYPE_REFUSED', () => joined('\n', pdf())],
    [
      'a PDF with a web page in its head',
      'FILE_TYPE_REFUSED',
      () => pdf({ comment: '%<script >alert(1)</script>\n' }),
    ],
    ['a PDF with HTML behind it', 'FILE_TYPE_REFUSED', () => joined(pdf(), '<html></html>')],
    ['a PDF with a ZIP in a stream', 'FILE_TYPE_REFUSED', () => pdf({ streams: [zip()] })],
    ['a PDF without its end', 'FILE_DAMAGED', () => pdf().subarray(0, -10)],
  ])('%s is refused with %s', async (_, code, content) => {
    const { intake } = given();
    await expect(intake.receive(upload(content()), ANYTHING)).rejects.toMatchObject({ code });
  });
});

test.each<[string, string, () => Uint8Array]>([
  ['protected', 'FILE_ENCRYPTED', () => pdf({ trailer: '/Encrypt 90 0 R' })],
  ['without a page', 'FILE_DAMAGED', () => pdf({ pages: [] })],
])('a PDF that the decoder refuses, %s: %s', async (_, code, content) => {
  const { intake } = given();
  await expect(intake.receive(upload(content()), ANYTHING)).rejects.toMatchObject({ code });
});

test('a PDF with a picture that pdfium has too little memory for is refused, not drawn without it', async () => {
  const { intake } = given();
  const size = `/Width ${HEAVY.width} /Height ${HEAVY.height}`;
  const picture = `/Type /XObject /Subtype /Image ${size} /BitsPerComponent 8 /ColorSpace /DeviceRGB`;
  const content = pdfWithPicture({ entries: `${picture} /Filter /DCTDecode`, data: await heavyPicture() });
  await expect(intake.receive(upload(content), ANYTHING)).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
});

describe('PDFs of nested forms', () => {
  const receive = (content: Uint8Array, decodeDeadlineMs: number) => {
    const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
    return createEvidenceIntake({ spoolDirectory, decodeDeadlineMs }).receive(upload(content), ANYTHING);
  };

  test('a few kilobytes that draw a form ten thousand million times are refused', {
    timeout: 60_000,
  }, async () => {
    const bomb = nestedForms({ levels: 10, draws: 10 });
    expect(bomb.byteLength).toBeLessThan(4000);
    await expect(receive(bomb, 1000)).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
  });

  test('forms that are drawn a hundred times are accepted', async () => {
    const file = await receive(nestedForms({ levels: 2, draws: 10 }), 30_000);
    expect(await shown(file.pages?.[0] ?? new Uint8Array())).toMatchObject({ format: 'jpeg', colour: 'red' });
  });
});

test('a PDF with active content is accepted with a warning', async () => {
  const { intake } = given();
  const content = pdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' });
  const file = await intake.receive(upload(content), ANYTHING);
  expect(file.warnings).toEqual(['script']);
  expect(file.pages).toHaveLength(1);
});

describe('content hidden in a picture', () => {
  test.each<[string, (jpeg: Buffer) => Buffer]>([
    ['a ZIP behind it', (jpeg) => joined(jpeg, CANARY, zip())],
    ['HTML behind it', (jpeg) => joined(jpeg, `<html><script>${CANARY}</script>`)],
    [
      'HTML in a comment',
      (jpeg) => joined(jpeg.subarray(0, 2), comment(`<script>${CANARY}</script>`), jpeg.subarray(2)),
    ],
  ])('%s is removed from the redrawn picture', async (_, hide) => {
    const { intake } = given();
    const hidden = hide(await (await card()).jpeg().toBuffer());
    expect(contains(hidden, CANARY)).toBe(true);

    const { content } = await intake.receive(upload(hidden), PICTURES);

    expect(contains(content, CANARY)).toBe(false);
    expect((await sharp(content).metadata()).width).toBe(1600);
  });

  test('text and profiles of a PNG are removed', async () => {
    const { intake } = given();
    const png = await plain()
      .withExif({ IFD0: { Copyright: CANARY } })
      .withXmp(`<x>${CANARY}</x>`)
      .png()
      .toBuffer();
    const { content } = await intake.receive(upload(png), PICTURES);
    expect(contains(content, CANARY)).toBe(false);
  });
});

describe('HEIC', () => {
  const given = (acceptsHeic?: boolean) => {
    const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
    return createEvidenceIntake({ spoolDirectory, ...(acceptsHeic !== undefined && { acceptsHeic }) });
  };

  test.each([
    ['HEIC', heic, { width: 800, height: 600 }],
    ['HEIC whose primary picture is the second', heicOfTwo, { width: 800, height: 600 }],
    ['HEIC whose rows the decoder fills up', heicOfOddSize, { width: 803, height: 603 }],
  ])('%s is redrawn as JPEG if its decoder is installed', async (_, content, size) => {
    const file = await given().receive(upload(content()), PICTURES);
    expect(file.contentType).toBe('image/jpeg');
    expect(await sharp(file.content).metadata()).toMatchObject({ format: 'jpeg', ...size });
    const square = sharp(file.content).extract({ left: 620, top: 80, width: 100, height: 100 });
    const [red, , blue] = (await sharp(await square.toBuffer()).stats()).channels.map(({ mean }) => mean);
    expect((blue ?? 0) - (red ?? 0)).toBeGreaterThan(50);
    expect(file.thumbnail).toBeDefined();
  });

  test('HEIC is refused without its decoder, with what to do', async () => {
    await expect(given(false).receive(upload(heic()), PICTURES)).rejects.toMatchObject({
      code: 'HEIC_REFUSED',
      message: expect.stringContaining('Save the picture as JPEG'),
    });
  });

  test.each([
    [true, 'JPEG, PNG, WebP or HEIC'],
    [false, 'JPEG, PNG or WebP'],
  ])('a refused type names the formats (HEIC can be decoded: %s): %s', async (acceptsHeic, formats) => {
    await expect(given(acceptsHeic).receive(upload(Buffer.from('hello')), PICTURES)).rejects.toMatchObject({
      message: expect.stringContaining(`Upload a ${formats} picture.`),
    });
  });

  test('HEIC is no logo', async () => {
    const receiving = given().receiveLogo({ content: upload(heic()) }, 'client');
    await expect(receiving).rejects.toMatchObject({ code: 'FILE_TYPE_REFUSED' });
  });

  test.each<[string, string, () => Uint8Array]>([
    ['that is cut off', 'FILE_DAMAGED', () => heic().subarray(0, 500)],
    ['that claims less than 600 pixels', 'PICTURE_TOO_SMALL', () => heicOfSize(800, 599)],
    ['of a large picture and a small primary one', 'PICTURE_TOO_SMALL', () => heicOfTwo('small-primary')],
    ['that claims four gigapixels', 'FILE_TOO_COMPLEX', () => heicOfSize(65_535, 65_535)],
  ])('HEIC %s: %s', async (_, code, content) => {
    await expect(given().receive(upload(content()), PICTURES)).rejects.toMatchObject({ code });
  });
});

describe('damaged or too large uploads', () => {
  test.each([
    ['jpeg', 0.9],
    ['jpeg', 0.5],
    ['jpeg', 0.02],
    ['png', 0.9],
    ['png', 0.5],
    ['webp', 0.9],
    ['webp', 0.5],
  ] as const)('a %s cut to %d of its length is refused as damaged', async (format, share) => {
    const { intake } = given();
    const content = await (await card()).toFormat(format).toBuffer();
    const cut = content.subarray(0, Math.floor(content.byteLength * share));
    await expect(intake.receive(upload(cut), PICTURES)).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  });

  test('a file with only the first bytes of a picture is refused', async () => {
    const { intake } = given();
    const fake = joined(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5000, CANARY));
    await expect(intake.receive(upload(fake), PICTURES)).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  });

  test.each([
    ['200 megapixels', 20_000, 10_000, 'PICTURE_TOO_LARGE'],
    ['one row over 40 megapixels', 8000, 5001, 'PICTURE_TOO_LARGE'],
    ['a million pixels long', 1_000_000, 8, 'FILE_TOO_COMPLEX'],
  ])('%s', { timeout: 60_000 }, async (_, width, height, code) => {
    const { intake } = given();
    const bomb = blackPng(width, height);
    expect(bomb.byteLength).toBeLessThan(EVIDENCE_MAX_BYTES);
    await expect(intake.receive(upload(bomb), PICTURES)).rejects.toMatchObject({ code });
  });

  test('a small file that needs 240 MB to decode is refused', { timeout: 60_000 }, async () => {
    const { intake } = given();
    await expect(intake.receive(upload(await heavyPicture()), PICTURES)).rejects.toMatchObject({
      code: 'FILE_TOO_COMPLEX',
    });
  });

  test.each([
    ['jpeg', PICTURE_MIN_SIDE],
    ['png', PICTURE_MIN_SIDE],
    ['webp', PICTURE_MIN_SIDE],
  ] as const)(
    'a %s with a shorter side of %i pixels is accepted, one pixel less is refused',
    async (format, side) => {
      const { intake } = given();
      const receive = async (width: number, height: number) => {
        const content = await plain(width, height).toFormat(format).toBuffer();
        return intake.receive(upload(content), PICTURES);
      };
      expect((await receive(side, 900)).contentType).toBe('image/jpeg');
      const refusal = {
        code: 'PICTURE_TOO_SMALL',
        message: 'The shorter side of the picture has fewer than 600 pixels. Take it at a higher resolution.',
      };
      await expect(receive(side - 1, 900)).rejects.toMatchObject(refusal);
      await expect(receive(900, side - 1)).rejects.toMatchObject(refusal);
    },
  );

  test('a WebP of 35 megapixels is accepted', { timeout: 60_000 }, async () => {
    const { intake } = given();
    const content = await plain(7000, 5000).webp({ effort: 0 }).toBuffer();
    expect((await intake.receive(upload(content), PICTURES)).contentType).toBe('image/jpeg');
  });

  test('a file that is not decoded before the deadline is refused, and its sender has to wait', async () => {
    let time = 0;
    const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
    const intake = createEvidenceIntake({ spoolDirectory, decodeDeadlineMs: 0, now: () => time });
    const content = await plain().png().toBuffer();
    const receive = (sender: string) => intake.receive(upload(content), { pdf: false, sender });

    await expect(receive('attacker')).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
    const paused = { code: 'UPLOADS_PAUSED', data: { retryAfterSeconds: 30 } };
    await expect(receive('attacker')).rejects.toMatchObject(paused);
    // Others do not wait: their file is decoded, which this deadline ends.
    await expect(receive('another')).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
    expect(intake.stats()).toEqual({ waiting: 0, running: 0, killed: 2 });

    time += 30_000;
    await expect(receive('attacker')).rejects.toMatchObject({ code: 'FILE_TOO_COMPLEX' });
    await expect(receive('attacker')).rejects.toMatchObject({ data: { retryAfterSeconds: 60 } });
  });

  test.each([1, 2])('a file whose sender is gone at its turn %i is dropped, not decoded', async (turn) => {
    const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
    const intake = createEvidenceIntake({ spoolDirectory, decodeDeadlineMs: 0 });
    const gone = new Error('The sender is gone.');
    let turns = 0;
    const requireSender = () => {
      turns++;
      if (turns === turn) throw gone;
    };
    const content = await plain().png().toBuffer();
    await expect(intake.receive(upload(content), { pdf: false, requireSender })).rejects.toBe(gone);
    // The deadline ends every decoding.
    expect(intake.stats()).toEqual({ waiting: 0, running: 0, killed: 0 });
  });

  test('an empty upload is refused', async () => {
    const { intake } = given();
    await expect(intake.receive(upload(new Uint8Array()), PICTURES)).rejects.toMatchObject({ code: 'FILE_EMPTY' });
  });

  test('an upload of 25 MB is read whole; one byte more stops reading', async () => {
    const { intake } = given();
    const exact = padded(await plain().jpeg().toBuffer(), UPLOAD_MAX_BYTES);
    expect((await intake.receive(upload(exact), PICTURES)).contentType).toBe('image/jpeg');

    let isRead = false;
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield await Promise.resolve(exact);
        yield new Uint8Array(1);
        isRead = true;
        for (;;) yield new Uint8Array(65_536);
      } finally {
        isClosed = true;
      }
    }
    await expect(intake.receive(endless(), PICTURES)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect({ isRead, isClosed }).toEqual({ isRead: false, isClosed: true });
  });

  test('a PDF of 10 MB is accepted, one byte more is refused: it would be stored as it is', async () => {
    const { intake } = given();
    const [head, end] = [pdf().subarray(0, -'%%EOF\n'.length), Buffer.from('%%EOF\n')];
    const pdfOf = (bytes: number) => joined(padded(head, bytes - end.byteLength, ' '), end);
    const file = await intake.receive(upload(pdfOf(EVIDENCE_MAX_BYTES)), ANYTHING);
    expect(file.content.byteLength).toBe(EVIDENCE_MAX_BYTES);
    const larger = intake.receive(upload(pdfOf(EVIDENCE_MAX_BYTES + 1)), ANYTHING);
    await expect(larger).rejects.toMatchObject({
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The PDF is larger than 10 MB. Save it in a smaller size.',
    });
  });

  // The long test of the memory and tests/e2e send 25 MB. Six minutes on the clock, because a busy machine refuses no picture.
  test('a picture of noise, which would become larger than what is stored, fits into it', {
    timeout: 400_000,
  }, async () => {
    const { intake } = given({ decodeDeadlineMs: 60_000 });
    const content = await denseJpeg(19);
    expect(content.byteLength).toBeGreaterThan(EVIDENCE_MAX_BYTES);
    const file = await intake.receive(upload(content), PICTURES);
    expect(file.content.byteLength).toBeLessThanOrEqual(EVIDENCE_MAX_BYTES);
    expect(file.content.byteLength).toBeGreaterThan(0.2 * EVIDENCE_MAX_BYTES);
  });
});

describe('upload storage', () => {
  test('an upload that breaks off leaves no file and rejects with its own error', async () => {
    const { intake } = given();
    const hungUp = new Error('The client hung up.');
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array(200_000));
      throw hungUp;
    }
    await expect(intake.receive(breaking(), PICTURES)).rejects.toBe(hungUp);
  });

  test('slow uploads do not delay others', async () => {
    const { intake } = given();
    const content = await plain().png().toBuffer();
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield content.subarray(0, 20);
      await pause;
      yield content.subarray(20);
    }
    const stalled = Array.from({ length: 5 }, () => intake.receive(slow(), PICTURES));

    const quick = await intake.receive(upload(content), PICTURES);
    goOn();

    for (const file of await Promise.all(stalled)) expect(file.sha256).toBe(quick.sha256);
  });

  test.runIf(platform() === 'linux')('the content of an upload is not readable on the disk', async () => {
    const { intake, spoolDirectory } = given();
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const content = Buffer.alloc(300_000, CANARY);
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield content;
      arrive();
      await pause;
    }
    const receiving = intake.receive(slow(), PICTURES).catch((error: unknown) => error);
    await arrived;

    expect(readdirSync(spoolDirectory)).toEqual([]);
    const open = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd)?.startsWith(spoolDirectory));
    expect(open).toHaveLength(1);
    const stored = readFileSync(`/proc/self/fd/${open[0]}`);
    expect(stored.byteLength).toBeGreaterThan(200_000);
    expect(contains(stored, CANARY)).toBe(false);

    goOn();
    expect(await receiving).toMatchObject({ code: 'FILE_TYPE_REFUSED' });
  });

  test('removes files that an earlier process left in the spool folder', () => {
    const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
    mkdirSync(spoolDirectory);
    writeFileSync(join(spoolDirectory, 'left.upload'), 'half of it');
    writeFileSync(join(spoolDirectory, 'README'), 'not ours');
    createEvidenceIntake({ spoolDirectory });
    expect(readdirSync(spoolDirectory)).toEqual(['README']);
  });

  test('a full disk rejects without a path', async () => {
    const { spoolDirectory } = given();
    const program = `
      import { createEvidenceIntake } from './src/index.ts';
      const intake = createEvidenceIntake({ spoolDirectory: process.argv[1] });
      const upload = (async function* () { yield new Uint8Array(1_000_000); })();
      console.log(await intake.receive(upload, { pdf: true }).catch((error) => error.message));`;
    const { output } = await runWithSmallFiles(onTestFinished, program, [spoolDirectory]).ended;
    expect(output).toBe('The disk could not take an upload in (EFBIG).\n');
  });

  test('an unusable folder is refused when the intake is created', () => {
    const file = join(temporaryDirectory(onTestFinished), 'file');
    writeFileSync(file, '');
    expect(() => createEvidenceIntake({ spoolDirectory: join(file, 'spool') })).toThrow(/ENOTDIR/);
  });
});

const HEAVY = { width: 7300, height: 5400 };
let heavy: Promise<Buffer> | undefined;

/** A progressive JPEG that needs 240 MB to decode. It is drawn once, because that takes a second. */
function heavyPicture(): Promise<Buffer> {
  heavy ??= plain(HEAVY.width, HEAVY.height).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
  return heavy;
}

function linkOf(fd: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

/** A picture after an `acTL` chunk, after text of the given length. */
function animatedPng(png: Uint8Array, textBytes: number): Buffer {
  const text = textBytes === 0 ? Buffer.alloc(0) : chunk('tEXt', Buffer.alloc(textBytes, 'a'));
  // Signature and header come first.
  return joined(png.subarray(0, 33), text, chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), png.subarray(33));
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  return joined(length, type, data, Buffer.alloc(4));
}

function comment(text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return joined(head, text);
}
