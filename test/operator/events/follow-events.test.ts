import { expect, it } from 'vitest';
import { operatorService } from '../../kits/operator-service.ts';

it('refuses a cursor that is none, also one that looks like a card number', async () => {
  const { ask, merchant } = await operatorService();
  const events = `/api/merchants/${await merchant()}/events`;
  const { json } = await ask('GET', events);
  expect((await ask('GET', `${events}?after=${json.cursor}`)).status).toBe(200);
  for (const cursor of ['x', '-1', '4111111111111111', '9'.repeat(30)]) {
    expect((await ask('GET', `${events}?after=${cursor}`)).status, cursor).toBe(400);
  }
});
