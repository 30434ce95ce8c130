import type { FC } from 'hono/jsx';
import type { Translate } from '../../site/messages.ts';

/** What `capture-camera.js` puts into the page where there is a camera: its buttons, and its messages as data. */
export const CameraTemplate: FC<{ t: Translate; isSelfie: boolean }> = ({ t, isSelfie }) => (
  <template data-camera>
    <div
      class={isSelfie ? 'camera camera-selfie' : 'camera camera-document'}
      data-camera-root
      data-facing={isSelfie ? 'user' : 'environment'}
      data-starting={t('capture:camera.starting')}
      data-ready={t(isSelfie ? 'capture:camera.readySelfie' : 'capture:camera.ready')}
      data-taken={t('capture:camera.taken')}
      data-blur={t('capture:camera.blur')}
      data-glare={t('capture:camera.glare')}
      data-closed={t('capture:camera.closed')}
      data-denied={t('capture:camera.denied')}
      data-missing={t('capture:camera.missing')}
      data-busy={t('capture:camera.busy')}
      data-failed={t('capture:camera.failed')}
    >
      <button type="button" data-camera-part="start">
        {t('capture:camera.start')}
      </button>
      <div class="camera-stage" data-camera-part="stage" hidden>
        <div class="camera-view">
          <video data-camera-part="video" playsinline muted aria-label={t('capture:camera.preview')} />
          <canvas data-camera-part="still" role="img" aria-label={t('capture:camera.still')} hidden />
          <div class="camera-frame" aria-hidden="true" />
        </div>
        <div class="button-row" data-camera-part="live">
          <button type="button" data-camera-part="shutter">
            {t('capture:camera.shutter')}
          </button>
          <button type="button" class="secondary" data-camera-part="close">
            {t('capture:camera.close')}
          </button>
        </div>
        <div class="button-row" data-camera-part="taken" hidden>
          <button type="button" data-camera-part="use">
            {t('capture:camera.use')}
          </button>
          <button type="button" class="secondary" data-camera-part="again">
            {t('capture:camera.again')}
          </button>
        </div>
      </div>
      <p role="status" data-camera-part="status" />
    </div>
  </template>
);
