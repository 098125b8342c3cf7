import { expect, onTestFinished, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';

const dashboard = useDashboard();

test('an alert is silenced with a reason, and the silence is ended', async () => {
  const { db, service } = dashboard;
  await db.pool.query(
    `update merchants set webhook_paused_at = now(), webhook_paused_by = 'operator' where merchant_id = $1`,
    [service.merchantId],
  );
  // As the look of the next minute finds it.
  await db.pool.query(
    `insert into alert_states
       (alert_key, kind, merchant_id, merchant_name, count, title, detail, at, first_seen_at)
     values ('endpoint_paused/' || $1, 'endpoint_paused', $1, 'Demo', 1, 'Demo: 1 endpoint is paused', 'by an operator', now(), now())
     on conflict do nothing`,
    [service.merchantId],
  );
  const page = await dashboard.open('/alerts');
  const alerts = page.getByRole('table', { name: 'Alerts' });
  await alerts.getByText(/1 endpoint is paused/).waitFor();
  await expectSound(page, 'alerts');
  await page.getByRole('button', { name: /^Silence: .*1 endpoint is paused/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Silence it?' });
  await dialog.getByText(/^Nobody is alerted to “Endpoint paused” of /).waitFor();
  await choose(dialog, 'For', '1 hour');
  await dialog.getByLabel('Why, for whoever finds it').fill('known since the morning');
  await expectSound(page, 'alerts-silence');
  await pressIn(dialog, 'Silence', { toast: 'It is silenced.' });
  await alerts.getByText('silenced').waitFor();
  const silences = page.getByRole('table', { name: 'Silences' });
  await silences.getByText('known since the morning').waitFor();
  await expectSound(page, 'alerts-silenced');
  await page.getByRole('button', { name: /^End the silence/ }).click();
  await silences.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Silence: .*1 endpoint is paused/ }).waitFor();
});

test('a channel is added, tested with the true answer, routed to, paused and removed', async () => {
  const slack = await startFakeMerchant();
  onTestFinished(() => slack.close());
  const page = await dashboard.open('/alerts/channels');
  await page.getByText('Alerts are sent nowhere').waitFor();
  await expectSound(page, 'alert-channels-none');
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Add a channel' }).click();
  await dialog.getByLabel('Name').fill('Mail');
  const addresses = dialog.getByLabel('Addresses, separated by commas');
  await addresses.fill('a@example.com, b@, c');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Correct this and try again:').waitFor();
  expect(await dialog.getByRole('alert').getByRole('listitem').allInnerTexts()).toEqual(
    [2, 3].map(
      (entry) =>
        `Addresses, separated by commas (entry ${entry}): Enter an e-mail address, such as oncall@example.com`,
    ),
  );
  expect(await addresses.evaluate((it) => it.matches(':focus'))).toBe(true);
  await addresses.fill('a@example.com, b@example.com');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/No mail server is set, .* Set SMTP_URL and ALERT_SENDER/).waitFor();
  await dialog.getByLabel('Name').fill('On call');
  await choose(dialog, 'How', /^to Slack/);
  await dialog.getByLabel('Address').fill('ftp://x');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Address: Enter an address that begins with https://').waitFor();
  await dialog.getByLabel('Address').fill(slack.webhookUrl);
  await expectSound(page, 'alert-channels-add');
  await pressIn(dialog, 'Add', { toast: 'On call is added. Test it.' });

  const table = page.getByRole('table', { name: 'Channels' });
  await table.getByText('Healthy').waitFor();
  await page.getByRole('button', { name: 'Test: On call' }).click();
  await page.getByText('On call accepted the test.').waitFor();
  expect((await slack.nextWebhook()).json).toMatchObject({
    text: 'Recoup: Test: A test of On call',
  });
  slack.answerWebhooks({ status: 403 });
  await page.getByRole('button', { name: 'Test: On call' }).click();
  await page.getByText('On call did not accept the test: The server answered 403.').waitFor();
  await table.getByText('Failing').waitFor();

  const pages = page.getByRole('navigation', { name: 'Alerts' });
  await pages.getByRole('link', { name: 'Sent' }).click();
  const sent = page.getByRole('table', { name: 'Sent alerts, the newest first' });
  await sent.getByText('The server answered 403.').waitFor();
  expect(await sent.getByText('A test of On call').count()).toBe(2);
  await expectSound(page, 'alerts-sent');
  await choose(page, 'State', 'Sent');
  await sent.getByText('The server answered 403.').waitFor({ state: 'hidden' });
  expect(await sent.getByText('A test of On call').count()).toBe(1);
  await pages.getByRole('link', { name: 'Channels' }).click();

  await page.getByRole('button', { name: 'Add a route' }).click();
  await choose(dialog, 'Urgency', 'what has to be looked at now');
  await dialog.getByLabel('Unknown outcomes').check();
  await dialog.getByLabel('Incidents').check();
  await expectSound(page, 'alert-channels-route');
  await pressIn(dialog, 'Add', { toast: 'The route is added.' });
  const routes = page.getByRole('table', { name: 'Routes' });
  await routes.getByText(/Unknown outcomes, Incidents|Incidents, Unknown outcomes/).waitFor();
  await routes.getByText('4 hours').waitFor();
  await expectSound(page, 'alert-channels');

  await page.getByRole('button', { name: 'Change: On call' }).click();
  await dialog.getByText(`It sends to ${new URL(slack.webhookUrl).host}.`).waitFor();
  await dialog.getByLabel('Name').fill('Nights');
  await pressIn(dialog, 'Change', { toast: 'Nights is changed. Test it.' });
  await table.getByText('Failing').waitFor();
  await page.getByRole('button', { name: 'Change: Nights' }).click();
  await choose(dialog, 'How', /^to Slack/);
  await dialog.getByLabel('Address').fill(`${slack.webhookUrl}/moved`);
  await expectSound(page, 'alert-channels-change');
  await pressIn(dialog, 'Change', { toast: 'Nights is changed. Test it.' });
  await table.getByText('Healthy').waitFor();

  await page.getByRole('button', { name: 'Pause: Nights' }).click();
  await table.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Remove: Nights' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).waitFor();
  await expectSound(page, 'alert-channel-remove');
  await pressIn(dialog, 'Remove', { toast: 'The channel is removed.' });
  await page.getByText('Alerts are sent nowhere').waitFor();
});
