import { base32, uuidFrom } from '../../domain/ids.ts';
import { magicMethods } from '../../psp/sandbox/magic-methods.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { OperatorApi } from '../../recovery/operator-api.ts';
import { batchMost, type SandboxApi } from '../../recovery/sandbox-api.ts';
import { createOperatorReports } from '../../store/reports/operator-reports.ts';
import { readBatch } from '../../store/reports/sandbox-batch.ts';
import type { AppContext } from '../context.ts';
import { invoiceIdsOf, simulatedFailures } from './simulated-failures.ts';

/** Enough to tell the batches of one sandbox apart. */
const batchBytes = 5;
const batchShape = /^[0-9a-z]{8}$/;

/** What the operator may ask of the sandbox: its cards, and payments that fail. */
export function createSandboxApi(
  context: Pick<AppContext, 'clock' | 'random' | 'db'>,
  parts: {
    readonly merchantId: string;
    readonly recovery: Pick<RecoveryApi, 'acceptPayment'>;
    readonly operator: Pick<OperatorApi, 'showMerchant'>;
  },
): SandboxApi {
  const { clock, random, db } = context;
  const { merchantId, recovery, operator } = parts;
  const reports = createOperatorReports({ db });
  return {
    magicMethods,
    async submitPayments({ count, seed }) {
      const batch = base32(random.bytes(batchBytes));
      const at = clock.now();
      const windowDays = (await operator.showMerchant(merchantId))?.policy.windowDays ?? 28;
      const bodies = simulatedFailures({ batch, count, seed, windowDays, at });
      const detail = { batch, count, seed };
      const audit = { action: 'sandbox.payments_submitted', detail, at };
      await reports.noteAct({ merchantId, audit });
      await Promise.all(
        bodies.map((body) =>
          recovery.acceptPayment({ merchantId, body, uuid: uuidFrom(random.bytes(16)) }),
        ),
      );
      return { batch, merchantId, count };
    },
    async showPayments(batch) {
      if (!batchShape.test(batch)) return undefined;
      const invoiceIds = invoiceIdsOf({ batch, count: batchMost });
      const { totals, latest } = await readBatch(db, { merchantId, invoiceIds });
      return totals.length === 0 ? undefined : { merchantId, totals, latest };
    },
  };
}
