import { expect, test } from 'vitest';
import { useDashboard } from '../../kits/dashboard.ts';

const dashboard = useDashboard();

test('a long amount stands in its panel as a whole, in a font of wide letters too', async () => {
  const page = await dashboard.open('/design', { signedIn: true });
  const value = page.locator('.figure-value', { hasText: '1,133,818,090.12' });
  await value.waitFor();
  for (const font of ['inherit', 'monospace']) {
    const room = await page.evaluate<number>(`(async () => {
      const panel = [...document.querySelectorAll('.figure-value')].find((of) => of.textContent.includes('090.12'));
      panel.style.fontFamily = '${font}';
      panel.parentElement.style.width = '190px';
      await new Promise(requestAnimationFrame);
      return panel.clientWidth - panel.firstElementChild.getBoundingClientRect().width;
    })()`);
    expect(room, font).toBeGreaterThanOrEqual(-0.5);
  }
});
