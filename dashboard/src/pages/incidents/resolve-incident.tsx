import { useState } from 'react';
import type { IncidentJson } from '../../api/generated/incidents.ts';
import { useResolve } from '../../api/incidents.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { pspName } from '../../parts/psp-name.ts';
import { useToast } from '../../parts/toasts.tsx';
import { refundable } from './incident-messages.ts';

/** Refund and dismiss, as long as neither is done. Both ask first, want a reason, and are noted. */
export function ResolveIncident({ incident }: { readonly incident: IncidentJson }) {
  const [asked, setAsked] = useState<'refund' | 'dismiss'>();
  const { state } = incident;
  const money = refundable(incident);
  if (state === 'refunded' || state === 'dismissed') return null;
  const close = (): void => setAsked(undefined);
  return (
    <div className="actions">
      {'words' in money && (
        <button type="button" className="button primary" onClick={() => setAsked('refund')}>
          {state === 'refunding' ? 'Ask about the refund' : `Refund ${money.words}`}
        </button>
      )}
      {state === 'open' && (
        <button type="button" className="button" onClick={() => setAsked('dismiss')}>
          Dismiss
        </button>
      )}
      {'words' in money && (
        <Refund
          incident={incident}
          amount={money.words}
          open={asked === 'refund'}
          onClose={close}
        />
      )}
      <Dismiss incident={incident} open={asked === 'dismiss'} onClose={close} />
    </div>
  );
}

interface AskedProps {
  readonly incident: IncidentJson;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Refund({ incident, amount, open, onClose }: AskedProps & { readonly amount: string }) {
  const refund = useResolve(incident.id, 'refund');
  const toast = useToast();
  const close = (): void => {
    refund.reset();
    onClose();
  };
  const isAsked = incident.state === 'refunding';
  return (
    <ConfirmDialog
      open={open}
      title={isAsked ? 'Ask about the refund?' : `Refund ${amount}?`}
      effect={isAsked ? askText(incident, amount) : refundText(incident, amount)}
      action={isAsked ? 'Ask' : `Refund ${amount}`}
      isDangerous={!isAsked}
      isBusy={refund.isPending}
      error={refund.error}
      onClose={close}
      onConfirm={(fields) =>
        refund.mutate(reasonOf(fields), {
          onSuccess: ({ state, because }) => {
            toast(
              state === 'refunded'
                ? `${amount} is refunded.`
                : `The refund is not confirmed yet. ${because ?? ''}`.trim(),
            );
            close();
          },
        })
      }
    >
      <Why defaultValue={isAsked ? (incident.resolution ?? '') : ''} />
    </ConfirmDialog>
  );
}

function Dismiss({ incident, open, onClose }: AskedProps) {
  const dismiss = useResolve(incident.id, 'dismiss');
  const toast = useToast();
  const close = (): void => {
    dismiss.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Dismiss the incident?"
      effect={dismissText(incident)}
      action="Dismiss"
      isBusy={dismiss.isPending}
      error={dismiss.error}
      onClose={close}
      onConfirm={(fields) =>
        dismiss.mutate(reasonOf(fields), {
          onSuccess: ({ status }) => {
            toast(
              status === undefined
                ? 'The incident is dismissed.'
                : `The incident is dismissed; its payment is ${status}.`,
            );
            close();
          },
        })
      }
    >
      <Why defaultValue="" />
    </ConfirmDialog>
  );
}

function Why({ defaultValue }: { readonly defaultValue: string }) {
  return (
    <label>
      Who decided it, and why (kept with the incident)
      <input name="reason" required maxLength={500} defaultValue={defaultValue} />
    </label>
  );
}

function reasonOf(fields: FormData): { readonly reason: string } {
  return { reason: String(fields.get('reason') ?? '').trim() };
}

function chargeText({ theirs, ours, invoice_id: invoiceId }: IncidentJson): string {
  const id = theirs?.psp_transaction_id ?? ours?.psp_transaction_id ?? '';
  return invoiceId === undefined ? `the charge ${id}` : `the charge ${id} of ${invoiceId}`;
}

function refundText(incident: IncidentJson, amount: string): string {
  const after =
    incident.invoice_id === undefined
      ? ''
      : ' If the payment is still owed, its recovery continues.';
  return `Refunds ${amount} of ${chargeText(incident)} to the payer through ${pspName(incident.psp)}. This cannot be undone.${after}`;
}

function askText(incident: IncidentJson, amount: string): string {
  return `Asks ${pspName(incident.psp)} what became of the refund of ${amount} of ${chargeText(incident)}. If the request did not arrive it is sent again; the refund is never made twice.`;
}

function dismissText({ theirs, invoice_id: invoiceId, psp }: IncidentJson): string {
  if (invoiceId === undefined) return 'Leaves the charge as it is. Nothing else changes.';
  return theirs?.state === 'succeeded'
    ? `Keeps the money that ${pspName(psp)} took. If its recovery is still open it stops, and nothing more is charged. This cannot be undone.`
    : `Leaves the charge as it is. ${invoiceId} is no longer frozen: if its recovery is still open it continues, and may charge.`;
}
