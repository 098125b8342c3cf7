import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { ingestPspWebhook } from '../../../src/recovery/intake/ingest-psp-webhook.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import {
  billingAttempt,
  invoiceClosed,
  type WrittenEvent,
  webhookOf,
  webhookWorld,
} from '../../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();
const at = (hours: number) => addMs(worldStart, hours * hourMs);

/** What a PSP tells of one invoice in the course of a day. */
const told: readonly WrittenEvent[] = [
  billingAttempt('evt_failed', failedEvent()),
  billingAttempt('evt_failed_again', secondFailure()),
  billingAttempt('evt_paid', paidEvent({ at: at(12) })),
  {
    id: 'evt_method',
    parsed: {
      kind: 'payment_method_updates',
      updates: [{ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' }],
    },
  },
  invoiceClosed('evt_closed'),
];

function secondFailure() {
  const event = failedEvent({ at: at(6) });
  const transactions = event.transactions.map((item) => ({ ...item, psp_transaction_id: 'ch_2' }));
  return { ...event, transactions };
}

/** Any order of all of them or of some, some of them several times, with work done in between. */
const deliveries = fc.array(
  fc.record({
    indexes: fc.array(fc.nat({ max: told.length - 1 }), { minLength: 1, maxLength: 3 }),
    atOnce: fc.boolean(),
    settles: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

it('whatever a PSP tells in whatever order, the record is sound and a paid invoice rests', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async (sent) => {
      const world = await engineWorld();
      try {
        const { deps } = webhookWorld(world);
        const heard = new Set<string>();
        // All of it is told after the day: only a changed method has something charged meanwhile.
        world.clock.set(at(13));
        for (const { indexes, atOnce, settles } of sent) {
          world.clock.passMs(1_000);
          const events = indexes.flatMap((index) => told[index] ?? []);
          for (const event of events) heard.add(event.id);
          const webhooks = atOnce ? events.map((event) => [event]) : [events];
          await Promise.all(
            webhooks.map((each) => {
              const { body, headers } = webhookOf(each);
              const webhook = { rawBody: body, headers, receivedAt: world.clock.now() };
              return ingestPspWebhook(deps, {
                merchantId: world.merchantId,
                psp: 'sandbox',
                webhook,
              });
            }),
          );
          if (settles) await world.settle();
        }
        await world.settle();
        const ended = heard.has('evt_paid') || heard.has('evt_closed');
        const failed = heard.has('evt_failed') || heard.has('evt_failed_again');
        const open = `select 1 from payments where state in ('scheduled', 'attempting')`;
        if (ended) expect(await world.rows(open)).toEqual([]);
        expect(await world.rows('select 1 from payments')).toHaveLength(failed ? 1 : 0);
        expect(await world.rows('select 1 from psp_event_notes')).toHaveLength(heard.size);
        const reports = [...heard].filter((id) => id !== 'evt_closed').length;
        expect(await world.rows('select 1 from requests')).toHaveLength(reports);
        await world.runUntil(addMs(worldStart, 40 * dayMs));
        expect((await world.ledger()).length).toBeLessThanOrEqual(heard.has('evt_paid') ? 1 : 8);
        expect(world.failures).toEqual([]);
        expect(await world.faults()).toEqual([]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: 40 },
  );
});
