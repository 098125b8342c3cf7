import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { putStandIns } from './stand-ins.ts';
import { settled } from './steady-page.ts';

/** Both schemes and both widths, each once: what is wrong in one of four shows in one of these. */
export const views = [
  { width: 1280, height: 900, colorScheme: 'light', most: 2000 },
  { width: 390, height: 844, colorScheme: 'dark', most: 2200 },
] as const;

type View = (typeof views)[number];

/** How long a page may go on changing after it has all that it asked for. */
const stillWithinMs = 60_000;

/**
 * The page as it is once it changes no more, from its top down to `most` pixels: two pictures in a row
 * are the same.
 */
export async function takePicture(
  page: Page,
  view: View,
  given: {
    /** How many parts of it go on loading for ever. */
    readonly loading: number;
    readonly standIns: Readonly<Record<string, string>>;
    readonly most: number;
  },
): Promise<Uint8Array> {
  const { width, height, colorScheme } = view;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const loading = page.locator('.state-loading');
  await expect.poll(() => loading.count(), { timeout: stillWithinMs }).toBe(given.loading);
  await settled(page);
  const endMs = performance.now() + stillWithinMs;
  let before: Buffer | undefined;
  for (;;) {
    await putStandIns(page, given.standIns);
    const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
    const picture = await page.screenshot({
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(whole, given.most) },
      animations: 'disabled',
      caret: 'hide',
    });
    if (before?.equals(picture)) return picture;
    expect(performance.now(), 'the page goes on changing').toBeLessThan(endMs);
    if (before !== undefined) await pause(50);
    before = picture;
  }
}
