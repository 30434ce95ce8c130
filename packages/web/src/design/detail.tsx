import { eraseVerificationData, withdrawVerification } from '@countersign/domain/actions';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { type Danger, DangerZone } from '../actions/danger-zone.tsx';
import { Card, Notice, type Tile, Tiles, TwoColumns } from '../parts/blocks.tsx';
import { Drawing } from '../parts/drawing.tsx';
import { Result } from '../parts/page-parts.tsx';
import { isolated } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { SomeFacts } from './blocks.tsx';
import { DESIGN_PATH } from './paths.ts';
import { HARD, LOGO_CLIENT, LOGOS } from './values.ts';

/** A page about one thing, in two columns: with the result of a form by `?done=renewed`. */
export const designDetail: Handler<StaffEnv> = (context) => {
  const page = context.get('page');
  return answerStaffPage(
    context,
    { title: HARD.clientName, back: { path: DESIGN_PATH, label: 'site:back' } },
    <>
      <Result context={context} texts="dashboard:verifications.done" />
      <div class="list-head">
        <h1 class="as-typed">
          <bdi>{HARD.clientName}</bdi>
        </h1>
      </div>
      <TwoColumns
        first={<Notice>What comes first on narrow pages too.</Notice>}
        aside={
          <Card id="aside-facts" title="What it is about">
            <SomeFacts page={page} />
          </Card>
        }
      >
        <Pictures page={page} />
        <DangerZone context={context} dangers={DANGERS} />
      </TwoColumns>
    </>,
  );
};

/** Thumbnails as narrow and as wide as they may be, and drawings in place of those that may not be seen. */
const Pictures: FC<{ page: Page }> = ({ page }) => {
  const tiles: readonly Tile[] = [
    ...Object.keys(LOGOS).map((name) => ({
      picture: <img src={page.href(`/faces/logos/${LOGO_CLIENT}/${name}.png`)} alt="" loading="lazy" />,
      title: `A ${name} picture`,
      text: 'JPEG · 9.9 MB',
      links: (
        <ul class="buttons">
          <li>
            <a href="#tiles-title">View</a>
          </li>
          <li>
            <a href="#tiles-title">Download</a>
          </li>
        </ul>
      ),
    })),
    { picture: <Drawing page={page} name="proof" />, title: HARD.longWord, text: HARD.longWord },
    {
      picture: <Drawing page={page} name="front" />,
      title: isolated(HARD.rightToLeft),
      text: <bdi>{HARD.rightToLeft}</bdi>,
    },
  ];
  return (
    <Card id="tiles" title="Tiles">
      <Tiles tiles={tiles} />
    </Card>
  );
};

const DANGERS: readonly Danger[] = [
  { action: withdrawVerification, path: DESIGN_PATH, label: 'dashboard:verifications.withdraw.link' },
  {
    action: eraseVerificationData,
    path: DESIGN_PATH,
    label: 'staff:retention.toErase',
    text: 'dashboard:verifications.eraseHint',
  },
];
