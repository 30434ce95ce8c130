import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** One page of a list that is read whole. */
export interface Sheet<T> {
  readonly items: readonly T[];
  /** From 1. */
  readonly number: number;
  readonly total: number;
}

/** @param asked a page's number as an address has it: what is none is the first, what is too high the last */
export function sheetOf<T>(all: readonly T[], asked: string | undefined, size: number): Sheet<T> {
  const total = Math.max(1, Math.ceil(all.length / size));
  const wanted = /^[1-9]\d{0,8}$/.test(asked ?? '') ? Number(asked) : 1;
  const number = Math.min(wanted, total);
  return { items: all.slice((number - 1) * size, number * size), number, total };
}

/** @param props.addressOf the address of a page by its number */
export const SheetLinks: FC<{
  sheet: Sheet<unknown>;
  page: Page;
  addressOf: (number: number) => string;
}> = ({ sheet: { number, total }, page: { t }, addressOf }) =>
  total === 1 ? null : (
    <nav class="pages" aria-label={t('admin:pages.label')}>
      {number > 1 ? (
        <a href={addressOf(number - 1)} rel="prev">
          {t('admin:pages.previous')}
        </a>
      ) : null}
      <span>{t('admin:pages.page', { page: number, total })}</span>
      {number < total ? (
        <a href={addressOf(number + 1)} rel="next">
          {t('admin:pages.next')}
        </a>
      ) : null}
    </nav>
  );
