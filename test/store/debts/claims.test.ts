import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { acceptPayment } from '../../../src/recovery/intake/ingest.ts';
import { createRequestLog } from '../../../src/store/intake/request-log.ts';
import { cardsOf } from '../../kits/billing-events.ts';
import { failedCharge } from '../../kits/debt-reports.ts';
import { useEngineWorld } from '../../kits/engine.ts';

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
