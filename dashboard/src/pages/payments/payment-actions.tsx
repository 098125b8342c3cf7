import { useState } from 'react';
import type { PaymentJson } from '../../api/generated/payments.ts';
import { useAction } from '../../api/payments.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { useToast } from '../../parts/toasts.tsx';

/** Retry and stop, where the payment is still open. Both are asked about, and noted. */
export function PaymentActions({ payment }: { readonly payment: PaymentJson }) {
  const [asked, setAsked] = useState<'retry' | 'stop'>();
  const isOpen = payment.status === 'scheduled' || payment.status === 'attempting';
  if (!isOpen) return null;
  const close = (): void => setAsked(undefined);
  return (
    <div className="actions">
      <button type="button" className="button" onClick={() => setAsked('retry')}>
        Retry now
      </button>
      <button type="button" className="button" onClick={() => setAsked('stop')}>
        Stop
      </button>
      <Retry payment={payment} open={asked === 'retry'} onClose={close} />
      <Stop payment={payment} open={asked === 'stop'} onClose={close} />
    </div>
  );
}

interface AskedProps {
  readonly payment: PaymentJson;
  readonly open: boolean;
  readonly onClose: () => void;
}

function keyOf(payment: PaymentJson) {
  return { merchantId: payment.merchant_id, invoiceId: payment.invoice_id };
}

function Retry({ payment, open, onClose }: AskedProps) {
  const toast = useToast();
  const retry = useAction<object, { next_attempt_at: string }>(keyOf(payment), 'retry');
  const amount = formatAmount(payment.amount, payment.currency);
  const close = (): void => {
    retry.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Retry now?"
      effect={`Asks the merchant and, after a yes, charges ${amount} once. The networks' rules apply as for every attempt. The current plan is replaced.`}
      action="Retry now"
      isBusy={retry.isPending}
      error={retry.error}
      onClose={close}
      onConfirm={() =>
        retry.mutate(
          {},
          {
            onSuccess: () => {
              toast('The payment is tried now.');
              close();
            },
          },
        )
      }
    />
  );
}

function Stop({ payment, open, onClose }: AskedProps) {
  const toast = useToast();
  const stop = useAction<{ reason: string }, { status: string }>(keyOf(payment), 'stop');
  const amount = formatAmount(payment.amount, payment.currency);
  const close = (): void => {
    stop.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Stop the recovery?"
      effect={`Stops 1 payment of ${amount}. Nothing is charged afterwards. This cannot be undone.`}
      action="Stop the recovery"
      isDangerous
      isBusy={stop.isPending}
      error={stop.error}
      onClose={close}
      onConfirm={(fields) =>
        stop.mutate(
          { reason: String(fields.get('reason') ?? '').trim() },
          {
            onSuccess: ({ status }) => {
              toast(
                status === 'in_flight'
                  ? 'A charge is in progress; nothing is charged after it.'
                  : `The payment is ${status}.`,
              );
              close();
            },
          },
        )
      }
    >
      <label>
        Reason (kept with the payment)
        <input name="reason" required maxLength={500} defaultValue="" />
      </label>
    </ConfirmDialog>
  );
}
