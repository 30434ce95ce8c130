import { type EvidenceKind, PICTURE_MIN_SIDE } from '@countersign/domain/evidence';
import type { FC } from 'hono/jsx';
import { Notice } from '../../parts/blocks.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Page } from '../../site/page.ts';

/** What the mask over the live picture shows: a card (ID-1), the page of a passport (ID-3) or a face. */
export type Mask = 'card' | 'passport' | 'face';

/** Browsers with their own steps to allow the camera (`browserOf` in capture-offer.js). */
const BROWSERS = ['ios', 'android', 'firefox', 'chrome', 'safari', 'other'] as const;

/** Why there is no camera (`problemOf` in capture-offer.js). */
const PROBLEMS = ['denied', 'missing', 'busy', 'failed', 'small', 'absent'] as const;
/** The problem of browsers within apps. */
const ABSENT = 'absent';

interface CameraLayerProps {
  readonly page: Page;
  readonly evidence: EvidenceKind;
  readonly mask: Mask;
  /** Whether hints say how the lines of a machine-readable zone lie in the picture. */
  readonly hasLines: boolean;
}

export interface CameraTemplateProps extends CameraLayerProps {
  /** Address of the page that continues on another device; null without one. */
  readonly phone: string | null;
}

/** The button, messages and layer that `capture-offer.js` adds to the page if the browser offers a camera. */
export const CameraTemplate: FC<CameraTemplateProps> = ({ phone, ...layer }) => {
  const { page } = layer;
  const { t } = page;
  return (
    <template data-camera>
      <div class="camera-offer">
        <button type="button" data-camera-open>
          <Icon page={page} name="camera" />
          {t('capture:camera.start')}
        </button>
        <Notice tone="warn" data-camera-problem role="alert" tabindex={-1} hidden>
          {PROBLEMS.map((problem) => (
            <p data-problem={problem}>{t(`capture:camera.problem.${problem}`)}</p>
          ))}
          {BROWSERS.map((browser) => (
            <p data-browser={browser}>{t(`capture:camera.allow.${browser}`)}</p>
          ))}
          <div class="buttons">
            <button type="button" class="secondary" data-camera-choose>
              {t('capture:camera.choose')}
            </button>
            {phone === null ? null : (
              <>
                <a href={phone} data-problem={ABSENT}>
                  {t('capture:camera.openElsewhere')}
                </a>
                <a href={phone} data-problem={PROBLEMS.filter((problem) => problem !== ABSENT).join(' ')}>
                  {t('capture:camera.otherDevice')}
                </a>
              </>
            )}
          </div>
        </Notice>
      </div>
      <CameraLayer {...layer} />
    </template>
  );
};

/** The camera over the whole screen. */
const CameraLayer: FC<CameraLayerProps> = ({ page, evidence, mask, hasLines }) => {
  const { t } = page;
  const isFace = mask === 'face';
  return (
    <dialog
      class="camera"
      aria-labelledby="camera-title"
      data-mask={mask}
      data-lines={hasLines ? '' : undefined}
      data-facing={isFace ? 'user' : 'environment'}
      data-min-side={String(PICTURE_MIN_SIDE)}
      data-starting={t('capture:camera.starting')}
      data-ready={t(`capture:camera.ready.${mask}`)}
      data-dark={t('capture:camera.hint.dark')}
      data-still={t('capture:camera.hint.still')}
      data-closer={t('capture:camera.hint.closer')}
      data-glare={t('capture:camera.hint.glare')}
      data-tilted={t('capture:camera.hint.tilted')}
      data-cut={t('capture:camera.hint.cut')}
      data-sought={t('capture:camera.hint.sought')}
      data-found={t('capture:camera.hint.found')}
      data-good={t('capture:camera.hint.good')}
      data-paused={t('capture:camera.paused')}
      data-taken={t(isFace ? 'capture:camera.taken.face' : 'capture:camera.taken.document')}
      data-dark-taken={t('capture:camera.taken.dark')}
      data-blur-taken={t('capture:camera.taken.blur')}
      data-glare-taken={t('capture:camera.taken.glare')}
      data-sending={t('capture:camera.sending')}
      data-checking={t('capture:upload.checking')}
      data-not-sent={t('capture:camera.notSent')}
    >
      <div class="camera-head">
        <h2 id="camera-title" data-camera-text="title">
          {t(mask === 'passport' ? 'capture:kind.document_front.passportTitle' : `capture:kind.${evidence}.title`)}
        </h2>
        <button
          type="button"
          class="icon-button"
          data-camera-part="close"
          aria-label={t('capture:camera.close')}
          title={t('capture:camera.close')}
        >
          <Icon page={page} name="x" />
        </button>
      </div>
      <div class="camera-view">
        <video data-camera-part="video" playsinline muted aria-label={t('capture:camera.preview')} />
        <canvas data-camera-part="still" role="img" aria-label={t('capture:camera.still')} hidden />
        <svg class="camera-mask" data-camera-part="mask" aria-hidden="true" focusable="false" hidden>
          <path data-outside="" fill-rule="evenodd" />
          <path />
        </svg>
      </div>
      <p class="camera-line" data-camera-part="line" aria-hidden="true" />
      <p class="visually-hidden" role="status" data-camera-part="status" />
      <div class="camera-foot">
        <div class="camera-buttons" data-camera-part="live" hidden>
          <button type="button" class="camera-shutter" data-camera-part="shutter">
            <Icon page={page} name="camera" />
            {t('capture:camera.shutter')}
          </button>
          <button type="button" class="secondary" data-camera-part="light" aria-pressed="false" hidden>
            {t('capture:camera.light')}
          </button>
        </div>
        <div class="camera-buttons" data-camera-part="paused" hidden>
          <button type="button" data-camera-part="resume">
            {t('capture:camera.start')}
          </button>
        </div>
        <div class="camera-buttons" data-camera-part="taken" hidden>
          <button type="button" data-camera-part="use">
            {t('capture:camera.use')}
          </button>
          <button type="button" data-camera-part="retry" hidden>
            {t('capture:camera.retry')}
          </button>
          <button type="button" class="secondary" data-camera-part="again">
            {t('capture:camera.again')}
          </button>
        </div>
        <progress data-camera-part="progress" aria-label={t('capture:upload.progress')} hidden />
      </div>
    </dialog>
  );
};
