import type { Locator, Page } from 'playwright-core';
import { press, tabTo, typeInto } from './keyboard.ts';

/** How a person operates a page. */
export interface InputMethod {
  press(button: Locator): Promise<void>;
  /** Chooses a radio button or ticks a checkbox. */
  choose(box: Locator): Promise<void>;
  /** Replaces the value of a field. */
  type(field: Locator, text: string): Promise<void>;
}

/** Fingers on a touch screen. */
export function touch(): InputMethod {
  return {
    press: (button) => button.tap(),
    choose: (box) => box.tap(),
    async type(field, text) {
      await field.tap();
      await field.fill(text);
    },
  };
}

/** A keyboard alone. */
export function keyboard(page: Page): InputMethod {
  return {
    press: (button) => press(page, button, 'Enter'),
    async choose(box) {
      // Tab leads to one of a group of radio buttons. The arrow keys choose from it.
      const name = await box.getAttribute('name');
      await tabTo(page, page.locator(`[name="${name}"]:not([type=hidden])`).first());
      const isFocused = () => box.evaluate((each) => each === each.ownerDocument.activeElement);
      while (!(await isFocused())) await page.keyboard.press('ArrowDown');
      if (!(await box.isChecked())) await page.keyboard.press('Space');
    },
    async type(field, text) {
      await tabTo(page, field);
      await page.keyboard.press('ControlOrMeta+A');
      await typeInto(page, field, text);
    },
  };
}
