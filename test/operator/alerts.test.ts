import { expect, it, onTestFinished } from 'vitest';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { operatorService } from '../kits/operator-service.ts';

async function withChannel() {
  const service = await operatorService();
  const fake = await startFakeMerchant();
  onTestFinished(() => fake.close());
  const body = { name: 'On call', target: { kind: 'slack', url: fake.webhookUrl } };
  const added = await service.ask('POST', '/api/alert-channels', body);
  return { ...service, fake, added, id: added.json.id as string };
}

it('a channel is added, tested, routed to, paused and removed, and shows its address to nobody', async () => {
  const { ask, fake, added, id } = await withChannel();
  expect([added.status, added.json]).toMatchObject([201, { kind: 'slack', is_paused: false }]);
  expect((await ask('POST', `/api/alert-channels/${id}/test`)).json).toEqual({ sent: true });
  expect((await fake.nextWebhook()).json).toMatchObject({
    text: 'Recoup: Test: A test of On call',
  });
  fake.answerWebhooks({ status: 403 });
  expect((await ask('POST', `/api/alert-channels/${id}/test`)).json).toEqual({
    sent: false,
    detail: 'The server answered 403.',
  });
  const route = await ask('POST', `/api/alert-channels/${id}/routes`, { severities: ['page'] });
  expect(route.json).toMatchObject({ channel_id: id, repeat_minutes: 240, tells_resolved: true });
  await ask('PATCH', `/api/alert-channels/${id}`, { is_paused: true });
  const { json } = await ask('GET', '/api/alert-channels');
  expect(json).toMatchObject({
    channels: [{ id, is_paused: true, last_error: 'The server answered 403.' }],
    routes: [{ id: route.json.id, severities: ['page'] }],
  });
  expect(JSON.stringify(json)).not.toContain(new URL(fake.webhookUrl).pathname);
  expect((await ask('DELETE', `/api/alert-channels/${id}`)).status).toBe(204);
  expect((await ask('DELETE', `/api/alert-channels/${id}`)).status).toBe(404);
  expect((await ask('GET', '/api/alert-channels')).json).toEqual({ channels: [], routes: [] });
});

it('what a channel was told is listed, the newest first, by channel and state, page by page', async () => {
  const { ask, fake, id } = await withChannel();
  const other = await ask('POST', '/api/alert-channels', {
    name: 'Nights',
    target: { kind: 'slack', url: `${fake.webhookUrl}/nights` },
  });
  await ask('POST', `/api/alert-channels/${id}/test`);
  await ask('POST', `/api/alert-channels/${other.json.id}/test`);
  fake.answerWebhooks({ status: 403 });
  await ask('POST', `/api/alert-channels/${id}/test`);
  const statesOf = async (query: string) => {
    const { json } = await ask('GET', `/api/alert-messages${query}`);
    return json.items.map((item: { channel_id: string; state: string }) => [
      item.channel_id === id ? 'On call' : 'Nights',
      item.state,
    ]);
  };
  const [refused, nights, first] = [
    ['On call', 'given_up'],
    ['Nights', 'sent'],
    ['On call', 'sent'],
  ];
  const all = await statesOf('');
  expect(all).toHaveLength(3);
  expect(all).toEqual(expect.arrayContaining([refused, nights, first]));
  expect(await statesOf(`?channel_id=${other.json.id}`)).toEqual([nights]);
  expect(await statesOf('?state=given_up')).toEqual([refused]);
  const page = await ask('GET', '/api/alert-messages?limit=2');
  expect(await statesOf(`?limit=2&cursor=${page.json.next_cursor}`)).toEqual([all[2]]);
  const [message] = (await ask('GET', '/api/alert-messages?state=given_up')).json.items;
  expect(message).toMatchObject({
    id: expect.stringMatching(/^alm_/),
    tries: 1,
    last_error: 'The server answered 403.',
    alerts: [{ kind: 'channel_failing', state: 'test', title: 'A test of On call' }],
  });
  expect(message).not.toHaveProperty('next_try_at');
  expect((await ask('GET', '/api/alert-messages?state=lost')).status).toBe(400);
  expect((await ask('GET', '/api/alert-messages?cursor=x')).status).toBe(400);
});

it('a silence says until when, why and by whom, and is ended once', async () => {
  const { ask } = await withChannel();
  const body = { kind: 'incidents', reason: 'known', minutes: 30 };
  const { status, json } = await ask('POST', '/api/alert-silences', body);
  expect([status, json]).toMatchObject([201, { kind: 'incidents', reason: 'known' }]);
  expect(Date.parse(json.ends_at) - Date.parse(json.created_at)).toBe(1_800_000);
  expect((await ask('GET', '/api/alerts')).json).toMatchObject({ silences: [{ id: json.id }] });
  expect((await ask('DELETE', `/api/alert-silences/${json.id}`)).status).toBe(204);
  expect((await ask('DELETE', `/api/alert-silences/${json.id}`)).status).toBe(404);
});

it('without a mail server no channel by e-mail is added', async () => {
  const { ask } = await withChannel();
  const body = { name: 'Mail', target: { kind: 'email', to: ['ops@example.com'] } };
  const { status, json } = await ask('POST', '/api/alert-channels', body);
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('SMTP_URL')]);
});
