import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { startChromium } from '../chromium.ts';
import { worldNow } from '../dashboard-world/seed-dashboard.ts';
import { keptFonts } from './kept-fonts.ts';

/** The browser's time, which stands still: a little after all that the world's making took. */
const shownNow = addMs(worldNow, 5 * minuteMs);

/** A browser that draws the same on every machine: by its processor alone, and with these fonts. */
export async function startSteadyChromium(): Promise<Browser> {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  return startChromium({
    args: [
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--disable-font-subpixel-positioning',
      '--force-color-profile=srgb',
      '--hide-scrollbars',
    ],
    env: { PATH, TMPDIR, HOME: TMPDIR, LANG: 'C.UTF-8', TZ: 'UTC', ...(await keptFonts()) },
  });
}

/**
 * Before a page goes anywhere: its clock stands, it hears of no change, and what the service did
 * while the world was made, some seconds more or fewer after its `worldNow`, was all done then. So was what
 * goes by the machine's own time, as alerts do.
 */
export async function makeSteady(page: Page): Promise<void> {
  await page.clock.setFixedTime(shownNow);
  await page.addInitScript(
    `(${steadyScript})(${JSON.stringify({
      now: shownNow.toISOString(),
      made: worldNow.getTime(),
      // Sums are counted up to some minutes ago; nothing of the world happened in these.
      from: addMs(worldNow, -10 * minuteMs).getTime(),
      until: addMs(worldNow, hourMs / 2).getTime(),
      machineNow: Date.now(),
      aroundMs: hourMs,
    })})`,
  );
}

/** Resolves when the page waits for no answer. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('window.unanswered'), { timeout: 60_000 }).toBe(0);
}

/** In the page, since a browser whose calls are answered by a test keeps no file of it. */
const steadyScript = `({ now, made, from, until, machineNow, aroundMs }) => {
  const instant = /\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z/g;
  const steady = (text) => text
    .replace(instant, (at) => {
      const ms = Date.parse(at);
      const isOfMaking = ms > from && ms < until;
      const isOfMachine = Math.abs(ms - machineNow) < aroundMs;
      return isOfMaking || isOfMachine ? new Date(made).toISOString() : at;
    })
    .replace(/"now":"[^"]*"/, '"now":"' + now + '"');
  const ask = window.fetch.bind(window);
  window.unanswered = 0;
  window.fetch = async (...given) => {
    window.unanswered += 1;
    try {
      const response = await ask(...given);
      if (response.headers.get('content-type')?.includes('json') !== true) return response;
      return new Response(steady(await response.text()), response);
    } finally {
      window.unanswered -= 1;
    }
  };
  window.EventSource = class { close() {} };
}`;
