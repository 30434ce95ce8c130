import type { StoredReading } from '@countersign/domain';
import type { EvidenceFile } from '@countersign/domain/evidence';
import type { FC, PropsWithChildren } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { filePath } from './paths.ts';
import { portraitPlaceOf } from './portrait-place.ts';

/** The height of a picture in the units of the drawing: whole numbers are fine enough. */
const HEIGHT = 1000;

const DEGREES = 360;

interface PortraitProps {
  /** Pictures of the document. */
  readonly files: readonly EvidenceFile[];
  readonly readings: readonly StoredReading[];
  readonly verificationId: string;
  readonly page: Page;
}

/** Shows the portrait on the document, cropped from its picture by the place of the machine-readable zone; the children without one. */
export const Portrait: FC<PropsWithChildren<PortraitProps>> = (props) => {
  const { files, readings, verificationId, page, children } = props;
  const { t, href } = page;
  const places = files.flatMap(({ id }) => {
    const box = readings.find(({ fileId }) => fileId === id)?.mrzBox;
    const place = box === undefined ? null : portraitPlaceOf(box);
    return place === null ? [] : [{ id, place }];
  });
  const [first] = places;
  if (first === undefined) return <>{children}</>;
  const { id, place } = first;
  const width = inUnits(place.width);
  const height = inUnits(place.height);
  const toMiddle = `translate(${width / 2} ${height / 2})`;
  const toOrigin = `translate(${-inUnits(place.x)} ${-inUnits(place.y)})`;
  return (
    <figure class="picture portrait">
      <figcaption>{t('review:portrait.title')}</figcaption>
      <div class="picture-frame">
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('review:portrait.alt')}>
          <image
            href={href(filePath(verificationId, id))}
            width={inUnits(place.pictureWidth)}
            height={HEIGHT}
            preserveAspectRatio="none"
            transform={`${toMiddle} rotate(${degrees(-place.rotation)}) ${toOrigin}`}
          />
        </svg>
      </div>
    </figure>
  );
};

function inUnits(length: number): number {
  return Math.round(length * HEIGHT);
}

function degrees(turn: number): number {
  return Math.round(turn * DEGREES * 10) / 10;
}
