import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A person at a page: each press of the pointer or of a key that leads somewhere is counted. */
export interface Hand {
  readonly page: Page;
  /** Presses so far. Typing a text is one. */
  readonly count: number;
  click(what: Locator): Promise<void>;
  type(where: Locator, text: string): Promise<void>;
  key(key: string): Promise<void>;
  /** Types where the keyboard stands: one press. */
  write(text: string): Promise<void>;
  /** Opens a choice and takes one of its options. */
  choose(where: Page | Locator, label: string | RegExp, option: string | RegExp): Promise<void>;
  /** Goes to a page of the navigation, through the drawer where there is one. */
  goTo(name: string): Promise<void>;
}

export function handOn(page: Page): Hand {
  let count = 0;
  const hand: Hand = {
    page,
    get count() {
      return count;
    },
    async click(what) {
      count += 1;
      await what.click();
    },
    async type(where, text) {
      count += 1;
      await where.fill(text);
    },
    async key(key) {
      count += 1;
      await page.keyboard.press(key);
    },
    async write(text) {
      count += 1;
      await page.keyboard.insertText(text);
    },
    async choose(where, label, option) {
      await hand.click(where.getByRole('combobox', { name: label }));
      const list = page.getByRole('listbox');
      await hand.click(list.getByRole('option', { name: option, exact: true }));
      await list.waitFor({ state: 'hidden' });
    },
    async goTo(name) {
      // By the window's width: just after it is resized, the page may still be laid out as before.
      if (isNarrow(page)) await hand.click(page.getByRole('button', { name: 'Menu' }));
      const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
      await hand.click(pages.getByRole('link', { name, exact: true }));
    },
  };
  return hand;
}

/** A job takes so many presses in a wide window, and one more on a phone for each way through the drawer. */
export function expectPresses(hand: Hand, wide: number, ways = 0): void {
  expect(hand.count).toBe(wide + (isNarrow(hand.page) ? ways : 0));
}

function isNarrow(page: Page): boolean {
  return (page.viewportSize()?.width ?? 1280) < 900;
}
