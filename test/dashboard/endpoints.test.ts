import { beforeAll, expect, test } from 'vitest';
import { expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';

const dashboard = useDashboard();
let server: FakeMerchant;

beforeAll(async () => {
  server = await startFakeMerchant();
  return () => server.close();
});

const openMerchant = () => dashboard.open(`/merchants/${dashboard.service.merchantId}`);

test('an endpoint is added with its types and headers, tested, paused, resumed and removed', async () => {
  const page = await openMerchant();
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a webhook endpoint' });
  await adding.getByLabel('Address').fill('ftp://x');
  await adding.getByRole('button', { name: 'Add it' }).click();
  await adding.getByText('“Address” is refused: The address of x must use https.').waitFor();
  await adding.getByLabel('Address').fill(server.webhookUrl);
  await adding.getByLabel('incident').check();
  await adding.getByLabel(/^Headers/).fill('X-Team: payments\nX-Key: hunter2hunter2');
  await expectSound(page, 'endpoint-new');
  await pressIn(adding, 'Add it');
  const secret = await page.getByRole('region', { name: 'Keep these now' }).innerText();
  expect(secret).toMatch(/whsec_\S+/);

  const one = page.getByRole('region', { name: server.webhookUrl });
  await one.getByText('retry_result, incident').waitFor();
  expect(await page.locator('main').innerText()).not.toContain('hunter2hunter2');
  await one.getByRole('button', { name: /^Test/ }).click();
  await one.getByText('The test webhook was acknowledged.').waitFor();
  expect(server.webhooks.at(-1)?.headers).toMatchObject({
    'x-team': 'payments',
    'x-key': 'hunter2hunter2',
    'x-service-webhook-type': 'test',
  });
  await expectSound(page, 'merchant-endpoints');

  await one.getByRole('button', { name: /^Change/ }).click();
  const changing = page.getByRole('dialog', { name: 'Change the endpoint?' });
  await changing.getByLabel('end_of_dunning').check();
  await pressIn(changing, 'Change it', { toast: 'The endpoint is changed. Test it.' });
  await one.getByText('retry_result, end_of_dunning, incident').waitFor();

  await one.getByRole('button', { name: /^Pause/ }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause the endpoint?' });
  await pausing.waitFor();
  await expectSound(page, 'endpoint-pause');
  await pressIn(pausing, 'Pause');
  await one.locator('.pill-paused').waitFor();

  const overview = await dashboard.open('/overview');
  await overview.getByText('Demo merchant: 1 endpoint is paused').click();
  const webhooks = overview;
  await webhooks.getByRole('combobox', { name: 'Endpoint' }).waitFor();
  await expectSound(webhooks, 'webhooks-several');

  const back = await openMerchant();
  const again = back.getByRole('region', { name: server.webhookUrl });
  await again.getByRole('button', { name: /^Resume/ }).click();
  const resuming = back.getByRole('dialog', { name: 'Resume the endpoint?' });
  await resuming.waitFor();
  await expectSound(back, 'endpoint-resume');
  await pressIn(resuming, 'Resume', { toast: 'The endpoint is resumed.' });
  await again.getByRole('button', { name: /^Rotate/ }).click();
  const rotating = back.getByRole('dialog', { name: 'Rotate the signing secret?' });
  await rotating.waitFor();
  await expectSound(back, 'endpoint-rotate');
  await pressIn(rotating, 'Rotate it');
  const rotated = await back.getByRole('region', { name: 'Keep these now' }).innerText();
  expect(rotated).toMatch(/whsec_\S+/);
  expect(rotated).not.toBe(secret);
  await again.getByRole('button', { name: /^Remove/ }).click();
  const removing = back.getByRole('dialog', { name: 'Remove the endpoint?' });
  await removing.waitFor();
  await expectSound(back, 'endpoint-remove');
  await pressIn(removing, 'Remove it', { toast: 'The endpoint is removed.' });
  await back.getByText('None. The webhook endpoint above gets every event').waitFor();
});
