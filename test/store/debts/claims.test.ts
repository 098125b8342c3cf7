import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReportChannel } from '../../../src/domain/debts/debt-names.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { acceptPayment } from '../../../src/recovery/intake/ingest.ts';
import type { Database } from '../../../src/store/database.ts';
import { createRequestLog } from '../../../src/store/intake/request-log.ts';
import { cardsOf } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();

it('of reports that two processes ingest at once, exactly one begins each debt’s recovery', async () => {
  const world = await engineWorld();
  const { merchantId } = world;
  const deps = { ...world.deps, db: world.db };
  const logs = [createRequestLog(deps), createRequestLog(deps)] as const;
  const debts = Array.from({ length: 40 }, (_, index) => index);
  await Promise.all(
    debts.flatMap((debt) => {
      const common = { charge: `ch_${debt}`, methods: cardsOf(`debt_${debt}`) };
      return logs.map((log, process) =>
        acceptPayment(
          { ...deps, log },
          {
            merchantId,
            uuid: randomUUID(),
            channel: process === 0 ? 'merchant' : 'psp',
            body: failedCharge({ ...common, invoiceId: `${process === 0 ? 'm' : 'in_'}${debt}` }),
          },
        ),
      );
    }),
  );
  expect(await world.rows('select 1 from requests')).toHaveLength(80);
  expect(await world.rows('select 1 from payments')).toHaveLength(40);
  const strays = `select 1 from debt_identities d where not exists (
    select from payments p where p.merchant_id = d.merchant_id and p.invoice_id = d.invoice_id)`;
  expect(await world.rows(strays)).toEqual([]);
  await world.settle();
  expect(await world.rows(`select 1 from payments where due_action = 'attempt'`)).toHaveLength(40);
  expect(world.failures).toEqual([]);
});

/** Ingests a report of which another one gets ahead, between what it reads and what it writes. */
async function ingestOvertaken(
  world: EngineWorld,
  report: { readonly channel: ReportChannel; readonly body: PaymentEventBody },
  other: () => Promise<unknown>,
): Promise<readonly string[]> {
  const turns: string[] = [];
  const db: Database = {
    ...world.db,
    async query(statement, values) {
      turns.push(statement.name);
      const isFirst = turns.filter((name) => name === statement.name).length === 1;
      if (isFirst && statement.name === 'append_reports') await other();
      return world.db.query(statement, values);
    },
  };
  const { deps, merchantId } = world;
  const log = createRequestLog({ ...deps, db });
  await acceptPayment({ ...deps, log }, { merchantId, uuid: randomUUID(), ...report });
  return turns;
}

const turn = ['find_debt_names', 'append_reports'];

it('a report that is one more word of a debt is decided again where another claims its names meanwhile', async () => {
  const world = await engineWorld();
  await submitBy(world, 'merchant', failedCharge({ invoiceId: 'in_1', charge: 'ch_1' }));
  const other = failedCharge({ invoiceId: 'in_2', charge: 'ch_2' });
  // The same debt by its invoice, and a charge that nobody has named yet.
  const body = failedCharge({ invoiceId: 'in_1', charge: 'ch_2' });
  const turns = await ingestOvertaken(world, { channel: 'merchant', body }, () =>
    submitBy(world, 'merchant', other),
  );
  expect(turns).toEqual([...turn, ...turn]);
  expect(await world.rows('select from requests')).toHaveLength(3);
  expect(
    await world.rows(`select invoice_id from debt_identities where value like '%ch\\_2'`),
  ).toEqual([{ invoice_id: 'in_2' }]);
});

describe('a period in which two channels have met', () => {
  const report = (invoiceId: string) =>
    failedCharge({ invoiceId, charge: `ch_${invoiceId}`, subscriptionId: 'sub_1' });
  const debts = async (world: EngineWorld) =>
    (await world.rows<{ id: string }>('select invoice_id as id from payments order by 1')).map(
      ({ id }) => id,
    );

  it('joins no further invoice: that is a debt of its own', async () => {
    const world = await engineWorld();
    await submitBy(world, 'merchant', report('m1'));
    for (const invoiceId of ['in_1', 'in_2', 'in_3']) {
      await submitBy(world, 'psp', report(invoiceId));
    }
    await submitBy(world, 'merchant', report('m2'));
    expect(await debts(world)).toEqual(['in_2', 'in_3', 'm1', 'm2']);
  });

  it.each([
    ['the processor', 'psp', 'merchant'],
    ['the merchant', 'merchant', 'psp'],
  ] as const)('joins none of %s that was on its way when they met', async (_, channel, other) => {
    const world = await engineWorld();
    await submitBy(world, other, report('in_1'));
    const turns = await ingestOvertaken(world, { channel, body: report('in_3') }, () =>
      submitBy(world, channel, report('in_2')),
    );
    expect(turns).toEqual([...turn, ...turn]);
    expect(await debts(world)).toEqual(['in_1', 'in_3']);
  });
});
