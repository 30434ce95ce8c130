import { fileDamaged, fileTooComplex } from '../refusals.ts';
import { JPEG_MAX_SCANS, JPEG_MAX_SEGMENTS } from './limits.ts';
import type { PictureStructure } from './picture-structure.ts';

const SCAN = 0xda;
const END = 0xd9;
const PROGRESSIVE = 0xc2;
/** Frames with Huffman codes that every decoder of JPEG knows. The others are lossless, hierarchical or arithmetic. */
const USUAL_FRAMES: readonly number[] = [0xc0, 0xc1, PROGRESSIVE];
/** A frame's segment before its list of channels, of three bytes each. */
const FRAME_BYTES = 8;
const CMYK_CHANNELS = 4;
const COEFFICIENT_BYTES = 2;

/**
 * Walks through the segments of a JPEG (ITU-T T.81, annex B) up to its end marker, as a decoder does: it passes over bytes
 * that belong to no segment.
 * @throws CountersignError `FILE_TOO_COMPLEX`, `FILE_DAMAGED`
 */
export function structureOfJpeg(content: Uint8Array): PictureStructure {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let frame: Frame | null = null;
  let scans = 0;
  let segments = 0;
  let offset = 2;
  while (offset + 1 < content.byteLength) {
    if (content[offset] !== 0xff) {
      offset++;
      continue;
    }
    const marker = content[offset + 1] ?? END;
    // The second of two fill bytes may begin a marker.
    offset += marker === 0xff ? 1 : 2;
    if (marker === END) break;
    if (isAlone(marker)) continue;

    if (marker === SCAN) scans++;
    else segments++;
    if (scans > JPEG_MAX_SCANS || segments > JPEG_MAX_SEGMENTS) throw fileTooComplex('picture');
    const length = offset + 2 <= content.byteLength ? view.getUint16(offset) : 0;
    if (length < 2) throw fileDamaged('picture');
    if (isFrame(marker) && frame === null) {
      if (!USUAL_FRAMES.includes(marker)) throw fileTooComplex('picture');
      frame = frameAt(view, offset, marker === PROGRESSIVE);
    }
    offset += length;
  }
  if (frame === null) throw fileDamaged('picture');
  const { width, height, channels, samplesPerPixel, isProgressive } = frame;
  // Several scans without progression hold one colour each, and all are needed for the first row.
  const isHeld = isProgressive || scans > 1;
  return {
    width,
    height,
    heldBytes: isHeld ? width * height * samplesPerPixel * COEFFICIENT_BYTES : 0,
    isCmyk: channels === CMYK_CHANNELS,
    isAnimated: false,
  };
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Less than the channels when colours are stored with fewer pixels. */
  readonly samplesPerPixel: number;
  readonly isProgressive: boolean;
}

function frameAt(view: DataView, offset: number, isProgressive: boolean): Frame {
  const channels = offset + FRAME_BYTES <= view.byteLength ? view.getUint8(offset + 7) : 0;
  if (channels === 0 || offset + FRAME_BYTES + 3 * channels > view.byteLength) throw fileDamaged('picture');
  const samplings = Array.from({ length: channels }, (_, channel) => {
    const factors = view.getUint8(offset + FRAME_BYTES + 3 * channel + 1);
    return { across: factors >> 4, down: factors & 0b1111 };
  });
  const most = Math.max(...samplings.map(({ across }) => across)) * Math.max(...samplings.map(({ down }) => down));
  const all = samplings.reduce((sum, { across, down }) => sum + across * down, 0);
  return {
    height: view.getUint16(offset + 3),
    width: view.getUint16(offset + 5),
    channels,
    samplesPerPixel: most === 0 ? channels : all / most,
    isProgressive,
  };
}

/** Whether a marker has no segment behind it: coded 0xff, restart, start of a picture. */
function isAlone(marker: number): boolean {
  return marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8);
}

/** Whether a marker begins a frame; four markers in between begin tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
