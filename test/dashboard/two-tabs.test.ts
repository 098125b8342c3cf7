import { beforeAll, expect, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { call, createMerchant, expectStatus, operatorApi } from '../kits/service-calls.ts';

const dashboard = useDashboard();
let server: FakeMerchant;
let path: string;

beforeAll(async () => {
  server = await startFakeMerchant();
  const policy = { kind: 'fixed' as const, window_days: 28, max_attempts: 4, fixed_days: [2, 4] };
  const own = await createMerchant(dashboard.service, server, { name: 'Own merchant', policy });
  path = `/api/merchants/${own.merchantId}`;
  return () => server.close();
});

const api = () => operatorApi(dashboard.service);
const read = (from = path) => expectStatus(api().get(from), 200);
/** What somebody else saves while a dialog is open. */
const theirs = (body: object, to = path) =>
  expectStatus(
    call(`${dashboard.service.operatorUrl}${to}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${dashboard.operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    }),
    200,
  );

async function openDialog(button: string, title: string, from = path.replace('/api', '')) {
  const page = await dashboard.open(from);
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  return { page, dialog };
}

const openRetries = () => openDialog('Change the retries', 'Change the retries?');

test('retries that somebody else changed meanwhile stay where this person left them alone', async () => {
  const { dialog } = await openRetries();
  await theirs({ policy: { window_days: 20, kind: 'even' }, end_of_dunning: true });
  await dialog.getByLabel(/^Maximum attempts/).fill('5');
  await pressIn(dialog, 'Change them', { toast: 'The retries are changed.' });
  expect(await read()).toMatchObject({
    policy: { kind: 'even', window_days: 20, max_attempts: 5 },
    end_of_dunning: true,
  });
});

test('what both changed is not replaced unseen: the other value is shown, and asked about', async () => {
  const { page, dialog } = await openRetries();
  await theirs({ policy: { window_days: 30 } });
  await dialog.getByLabel(/^Window/).fill('14');
  const save = dialog.getByRole('button', { name: 'Change them' });
  await save.click();
  const alert = dialog.getByRole('alert');
  await alert.getByText(/^Window in days, .*: It is 30 now$/).waitFor();
  await alert
    .getByText(/^Somebody else changed this meanwhile, so nothing is saved yet./)
    .waitFor();
  await expectSound(page, 'changed-meanwhile');
  expect((await read()).policy.window_days).toBe(30);
  await theirs({ policy: { window_days: 31 } });
  await save.click();
  await alert.getByText(/: It is 31 now$/).waitFor();
  await pressIn(dialog, 'Change them', { toast: 'The retries are changed.' });
  expect((await read()).policy.window_days).toBe(14);
});

test('days belong to the kind that they were written for', async () => {
  await theirs({ policy: { kind: 'fixed', window_days: 28, fixed_days: [2, 4] } });
  const { dialog } = await openRetries();
  await theirs({ policy: { kind: 'even' } });
  await dialog.getByLabel(/^Days after/).fill('3, 9');
  await dialog.getByRole('button', { name: 'Change them' }).click();
  await dialog.getByRole('alert').getByText('When: It is even now').waitFor();
  expect((await read()).policy.kind).toBe('even');
});

test('a dialog in which nothing was changed changes nothing', async () => {
  const { dialog } = await openRetries();
  await theirs({ policy: { max_attempts: 7 } });
  await pressIn(dialog, 'Change them', { toast: 'You changed nothing, so nothing is saved.' });
  expect((await read()).policy.max_attempts).toBe(7);
});

test('name and zone, addresses and messages keep what somebody else changed beside them', async () => {
  const named = await openDialog('Change name or zone', 'Change the name or the time zone?');
  await theirs({ name: 'Their name' });
  await named.dialog.getByLabel('Time zone').fill('Europe/Paris');
  await pressIn(named.dialog, 'Change them');
  const placed = await openDialog('Change the addresses', 'Change the addresses?');
  await theirs({ webhook_quick_sends: true, webhook_pause_after_days: 9 });
  await placed.dialog.getByLabel('Retry-status endpoint').fill(`${server.retryStatusUrl}?two`);
  await pressIn(placed.dialog, 'Change them');
  expect(await read()).toMatchObject({
    name: 'Their name',
    time_zone: 'Europe/Paris',
    retry_status_url: `${server.retryStatusUrl}?two`,
    webhook_quick_sends: true,
    webhook_pause_after_days: 9,
  });
  const settings = `${path}/message-settings`;
  const written = await openDialog('Change the messages', 'Change the messages?');
  await theirs({ quiet_from: 23, holdout_share: 0.2 }, settings);
  await written.dialog.getByLabel(/^Messages about one payment/).fill('2');
  await written.dialog.getByLabel(/^Held out/).fill('7.5');
  await written.dialog.getByRole('button', { name: 'Change them' }).click();
  await written.dialog.getByText(/^Held out to compare with.*: It is 20% now$/).waitFor();
  await written.dialog.getByLabel(/^Held out/).fill('20');
  await pressIn(written.dialog, 'Change them', { toast: 'The messages are changed.' });
  expect(await read(settings)).toMatchObject({
    quiet_from: 23,
    max_messages: 2,
    holdout_share: 0.2,
  });
});

test('the types of an endpoint are one value: those that somebody else chose are shown', async () => {
  const body = { url: server.webhookUrl, event_types: ['retry_result'] };
  const { id } = await expectStatus(api().post(`${path}/webhook-endpoints`, body), 201);
  const one = `${path}/webhook-endpoints/${id}`;
  const { dialog } = await openDialog(`Change: ${server.webhookUrl}`, 'Change the endpoint?');
  await theirs({ event_types: ['retry_result', 'incident'], quick_sends: false }, one);
  await dialog.getByLabel('end_of_dunning').check();
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await dialog.getByText('Events: It is retry_result, incident now').waitFor();
  await dialog.getByLabel('incident').check();
  await pressIn(dialog, 'Change it', { toast: 'The endpoint is changed. Test it.' });
  const { items } = await read(`${path}/webhook-endpoints`);
  expect(items.at(-1)).toMatchObject({
    event_types: ['retry_result', 'end_of_dunning', 'incident'],
    quick_sends: false,
  });
});

test('a channel keeps the name that somebody else gave it', async () => {
  const target = { kind: 'slack', url: 'https://hooks.example.com/day' };
  const made = await expectStatus(api().post('/api/alert-channels', { name: 'Day', target }), 201);
  const { dialog } = await openDialog('Change: Day', 'Change the channel?', '/alerts/channels');
  await theirs({ name: 'Night' }, `/api/alert-channels/${made.id}`);
  await choose(dialog, 'How', /^to Slack/);
  await dialog.getByLabel('Address').fill('https://hooks.example.com/night');
  await pressIn(dialog, 'Change', { toast: 'Night is changed. Test it.' });
});

test('a role that somebody else gave meanwhile is not taken back unseen', async () => {
  const body = { name: 'Jo', email: 'jo@example.com', role: 'viewer' };
  const { id } = await expectStatus(api().post('/api/operators', body), 201);
  const { dialog } = await openDialog('Role: Jo', 'Change the role?', '/operators');
  await theirs({ role: 'administrator' }, `/api/operators/${id}`);
  await choose(dialog, 'Role', /^disputes/);
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByRole('alert').getByText('Role: It is administrator now').waitFor();
  await pressIn(dialog, 'Change', { toast: 'The role is changed.' });
});
