import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { currencyExponent } from '../../../src/domain/money.ts';
import { createControlStore } from '../../../src/store/control-totals/control-store.ts';
import { cardsOf, failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

/** Two invoices recovered, one after a decline, and one that is never. */
async function recovered(): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const [id, method] of [
    ['in_1', 'pm_sandbox_success'],
    ['in_2', 'pm_sandbox_success_after_2'],
    ['in_3', 'pm_sandbox_decline_51'],
  ] as const) {
    await world.submit(failedEvent({ invoiceId: id, methods: cardsOf(id, [method]) }));
  }
  await world.runUntil(addMs(worldStart, 10 * dayMs));
  return world;
}

async function report(world: EngineWorld) {
  const control = createControlStore(world.db);
  await control.fold({ at: world.clock.now() });
  return control.read();
}

describe('the control totals', () => {
  it('agree after recoveries, each kind from its own table', async () => {
    const world = await recovered();
    expect(await report(world)).toMatchObject({ moneyDiffers: 0, eventsDiffer: 0 });
    const sums = await world.rows(
      `select kind, sum(items)::int as items, sum(amount_minor)::int as minor from control_totals
       group by kind order by kind`,
    );
    const { amountMinor } = await world.payment('in_1');
    const declines = await world.rows<{ n: number }>(
      `select count(*)::int as n from psp_transactions where state = 'declined'`,
    );
    const events = (await world.events()).length;
    expect(sums).toEqual([
      { kind: 'announced', items: 2, minor: 2 * amountMinor },
      { kind: 'charged', items: 2, minor: 2 * amountMinor },
      { kind: 'created', items: events, minor: 0 },
      { kind: 'declined', items: declines[0]?.n, minor: (declines[0]?.n ?? 0) * amountMinor },
      { kind: 'delivered', items: events, minor: 0 },
      { kind: 'pending', items: 0, minor: 0 },
      { kind: 'recovered', items: 2, minor: 2 * amountMinor },
    ]);
  });

  const tampered: [string, string, object][] = [
    [
      'a success that was deleted',
      `delete from psp_transactions where state = 'succeeded' and invoice_id = 'in_1'`,
      { charged: { count: 0 }, recovered: { count: 1 }, announced: { count: 1 } },
    ],
    [
      "an event's amount that was changed",
      `update events set body = replace(body, '"amount_collected":', '"amount_collected":1')
       where invoice_id = 'in_1' and type = 'retry_result'`,
      { charged: { count: 1 }, announced: { count: 1 } },
    ],
    [
      'a payment that was set recovered by hand',
      `update payments set state = 'recovered', next_attempt_at = null, lease_until = null
       where invoice_id = 'in_3'`,
      { charged: { count: 0 }, recovered: { count: 1 }, announced: { count: 0 } },
    ],
    [
      'a delivery that was deleted',
      `with tries as (delete from delivery_tries where event_id in
         (select event_id from events where invoice_id = 'in_1'))
       delete from deliveries where event_id in
         (select event_id from events where invoice_id = 'in_1' and type = 'retry_result')`,
      { eventsCreated: 3, eventsDelivered: 2, eventsPending: 0, eventsExhausted: 0 },
    ],
  ];
  it.each(tampered)('show %s, and the check of everything too', async (_, statement, expected) => {
    const world = await recovered();
    await world.db.pool.query(statement);
    const { differences } = await report(world);
    expect(differences).toMatchObject([expected]);
    expect(await world.faults()).not.toEqual([]);
  });

  it('make no charge wait for another of the same merchant and day', async () => {
    const world = await recovered();
    const [one, two] = [await world.db.pool.connect(), await world.db.pool.connect()];
    const settle = (invoiceId: string) =>
      `update psp_transactions set amount_minor = amount_minor + 1
       where state = 'succeeded' and invoice_id = '${invoiceId}'`;
    try {
      await one.query('begin');
      await one.query(settle('in_1'));
      await two.query(`begin; set local lock_timeout = '2s'`);
      await two.query(settle('in_2'));
      await two.query('commit');
    } finally {
      await one.query('rollback');
      one.release();
      two.release();
    }
    expect((await report(world)).moneyDiffers).toBe(1);
  });

  it('are exact in the decimals of every currency', async () => {
    const world = await engineWorld();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const codes = [...letters].flatMap((a) =>
      [...letters].flatMap((b) => [...letters].map((c) => a + b + c)),
    );
    const rows = await world.rows<{ code: string; decimals: number }>(
      `select code, currency_decimals(code) as decimals from unnest($1::text[]) as code`,
      [codes],
    );
    expect(rows.filter((row) => row.decimals !== currencyExponent(row.code))).toEqual([]);
    expect(
      await world.rows(`
        select (told_success(body)).* from (values
          ('{"success":true,"amount_collected":12.23,"currency":"USD"}'),
          ('{"success":true,"amount_collected":1223,"currency":"JPY"}'),
          ('{"success":true,"amount_collected":0.001,"currency":"KWD"}'),
          ('{"success":false,"custom":{"success":true},"amount_collected":5,"currency":"USD"}'),
          ('{}')) as t (body)`),
    ).toEqual([
      { currency: 'USD', amount_minor: 1223 },
      { currency: 'JPY', amount_minor: 1223 },
      { currency: 'KWD', amount_minor: 1 },
    ]);
  });
});
