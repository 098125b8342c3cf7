import { expect, it } from 'vitest';
import { closeInvoice } from '../../../src/recovery/intake/psp-events/close-invoice.ts';
import type { Queryable } from '../../../src/store/database.ts';
import { createPspEventStore } from '../../../src/store/psp-events/psp-event-store.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { failedCharge, submitBy } from '../../kits/debt-reports.ts';
import { useEngineWorld } from '../../kits/engine.ts';
import { webhookWorld } from '../../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();

it('an invoice that is closed in the moment in which it is shown to be of a debt ends that one', async () => {
  const world = await engineWorld();
  const { deps, sealer } = webhookWorld(world);
  await submitBy(world, 'merchant', failedCharge({ invoiceId: 'm1', charge: 'ch_1' }));
  await world.settle();
  let isTold = false;
  const db: Queryable = {
    async query(statement, values) {
      if (statement.name === 'close_invoice' && !isTold) {
        isTold = true;
        await submitBy(world, 'psp', failedCharge({ invoiceId: 'in_1', charge: 'ch_1' }));
        await world.settle();
      }
      return world.db.query(statement, values);
    },
  };
  const events = createPspEventStore({ db, sealer });
  const told = { eventId: 'evt_1', type: 'test', occurredAt: worldStart };
  const outcome = await closeInvoice(
    { ...deps, events },
    {
      merchantId: world.merchantId,
      psp: 'sandbox',
      connectionVersion: 1,
      event: told,
      parsed: { kind: 'invoice_closed', invoiceId: 'in_1', reason: 'voided' },
    },
  );
  expect(outcome).toBe('recovery_stopped');
  expect(await world.payment('m1')).toMatchObject({
    status: 'stopped',
    stopReason: 'invoice_closed',
  });
});
