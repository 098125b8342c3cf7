import { expect, test } from 'vitest';
import { useDashboard } from '../../kits/dashboard.ts';

const dashboard = useDashboard();

test('where a browser lets nobody copy, as over plain HTTP, the text is marked for the keys that do', async () => {
  const page = await dashboard.open(`/merchants/${dashboard.service.merchantId}`, {
    async prepare(opened) {
      await opened.addInitScript(
        `Object.defineProperty(navigator, 'clipboard', { value: undefined })`,
      );
    },
  });
  const copy = page.getByRole('button', { name: 'Copy' }).first();
  const text = await copy.locator('xpath=../pre').innerText();
  await copy.click();
  await page.getByRole('button', { name: 'Marked: copy it' }).waitFor({ timeout: 10_000 });
  expect(await page.evaluate('getSelection().toString()')).toBe(text);
  await page
    .getByRole('status')
    .filter({ hasText: 'Marked: copy it' })
    .waitFor({ state: 'attached' });
});

test('parts of a chart differ in the legend also where a system forces its own colours', async () => {
  const page = await dashboard.open('/design');
  await page.emulateMedia({ forcedColors: 'active' });
  const swatches = page.locator('.bars .swatch');
  await swatches.first().waitFor({ state: 'attached' });
  const grounds = await page.evaluate(
    `[...document.querySelectorAll('.bars .swatch')].slice(0, 3).map((it) => getComputedStyle(it).backgroundColor)`,
  );
  expect(new Set(grounds as string[]).size).toBe(3);
});
