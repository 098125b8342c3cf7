import { base32, uuidFrom } from '../../domain/ids.ts';
import type { PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import { magicMethods } from '../../psp/sandbox/magic-methods.ts';
import type { Accept, RecoveryApi } from '../../recovery/api.ts';
import type { SandboxApi } from '../../recovery/sandbox-api.ts';
import { batchBytes } from '../../recovery/sandbox-batch.ts';
import { appendAudit } from '../../store/admin/audit-log.ts';
import { findMerchant } from '../../store/admin/merchants.ts';
import type { AppContext } from '../context.ts';
import { simulatedReports } from './simulated-failures.ts';

/** What the operator may ask of the sandbox: its cards, and payments that fail. */
export function createSandboxApi(
  context: Pick<AppContext, 'clock' | 'random' | 'db'>,
  parts: {
    readonly merchantId: string;
    readonly recovery: Pick<RecoveryApi, 'acceptPayment'>;
    /** Ingests an update as it will be reported at a time to come. */
    reportUpdateAt(input: Accept<PaymentMethodUpdateBody>, at: Date): Promise<unknown>;
  },
): SandboxApi {
  const { clock, random, db } = context;
  const { merchantId, recovery } = parts;
  return {
    merchantId,
    magicMethods,
    async submitPayments({ count, seed }) {
      const batch = base32(random.bytes(batchBytes));
      const at = clock.now();
      const windowDays = (await findMerchant(db, merchantId))?.policy.windowDays ?? 28;
      const { failures, updates } = simulatedReports({ batch, count, seed, windowDays, at });
      const uuid = () => uuidFrom(random.bytes(16));
      const detail = { batch, count, seed };
      const audit = { action: 'sandbox.payments_submitted', detail, at };
      await appendAudit(db, merchantId, audit);
      await Promise.all(
        failures.map((body) => recovery.acceptPayment({ merchantId, body, uuid: uuid() })),
      );
      await Promise.all(
        updates.map(({ body, at: dueAt }) =>
          parts.reportUpdateAt({ merchantId, body, uuid: uuid() }, dueAt),
        ),
      );
      return { batch, merchantId, count };
    },
  };
}
