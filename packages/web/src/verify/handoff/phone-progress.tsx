import { currentStepOf, stepsOf, type Verification } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';

export interface PhoneProgressProps {
  readonly page: Page;
  readonly verification: Verification;
}

/** Says how far the subject is, on whichever device. The part of the page that is asked for again and again. */
export const PhoneProgress: FC<PhoneProgressProps> = ({ page: { t }, verification }) => {
  const steps = stepsOf(verification.flow);
  const done = currentStepOf(verification);
  const step = steps[done];
  return (
    <>
      <progress value={done} max={steps.length} aria-hidden="true" />
      <p>
        {done === 0 ? t('capture:phone.started') : t('capture:phone.done', { count: done, total: steps.length })}{' '}
        {step === undefined
          ? t('capture:phone.ready')
          : t('capture:phone.now', { step: t(`verify:steps.${step}`) })}
      </p>
    </>
  );
};
