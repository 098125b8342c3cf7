import { afterAll, expect, it } from 'vitest';
import { ingestPspWebhook } from '../../../src/recovery/intake/ingest-psp-webhook.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { createRequestLog } from '../../../src/store/intake/request-log.ts';
import { createPspEventStore } from '../../../src/store/psp-events/psp-event-store.ts';
import { failedEvent } from '../../kits/billing-events.ts';
import { disputesKit } from '../../kits/disputes-server.ts';
import { random, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import {
  billingAttempt,
  readTestWebhook,
  webhookOf,
  webhookWorld,
} from '../../kits/psp-webhooks.ts';
import { type Relay, startRelay } from '../../kits/relay.ts';

const engineWorld = useEngineWorld();
let relay: Relay | undefined;
let db: Database | undefined;
afterAll(async () => {
  await db?.close();
  await relay?.cut();
});

it('a webhook that the database’s end overtakes is sent again, and counts once', async () => {
  const world = await engineWorld();
  relay = await startRelay(world.connectionString);
  const { connectionString } = relay;
  db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 2 });
  const way = relay;
  const own = db;
  let cutsAt: 'reading' | 'noting' | 'never' = 'reading';
  const hooks = webhookWorld(world, () => ({
    async readWebhook(webhook) {
      const reading = await readTestWebhook(webhook);
      if (cutsAt === 'reading') await way.cut();
      return reading;
    },
  }));
  const events = createPspEventStore({ db: own, sealer: hooks.sealer });
  const deps = {
    ...hooks.deps,
    requestLog: createRequestLog({ db: own, random }),
    events: {
      ...events,
      async note(event: Parameters<typeof events.note>[0]) {
        if (cutsAt === 'noting') await way.cut();
        return events.note(event);
      },
    },
  };
  const kit = await disputesKit({
    webhooks: { isConnected: async () => true, ingest: (input) => ingestPspWebhook(deps, input) },
  });
  const { body, headers } = webhookOf([billingAttempt('evt_1', failedEvent())]);
  const path = `/v1/psp/sandbox/webhooks/${world.merchantId}`;
  const send = () => fetch(`${kit.url}${path}`, { method: 'POST', body, headers });

  for (const moment of ['reading', 'noting'] as const) {
    cutsAt = moment;
    const answer = await send();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toEqual({ detail: 'The service cannot work just now.' });
    await way.lay();
  }
  cutsAt = 'never';
  const answers = await Promise.all(Array.from({ length: 5 }, send));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
  await world.settle();
  expect(await world.rows('select 1 from requests')).toHaveLength(1);
  expect(await world.rows('select 1 from psp_event_notes')).toHaveLength(1);
  expect((await world.payment()).status).toBe('scheduled');
  await expectSound(world);
});
