import { useState } from 'react';
import { useAcceptDispute } from '../../api/disputes.ts';
import type { DisputeJson } from '../../api/generated/disputes.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { localTimes } from '../../parts/format-time.ts';
import { pspName } from '../../parts/psp-name.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { usePortal } from '../../state/portal.ts';

/** Gives the disputed money up at the processor, for good; or says why that cannot be done here. */
export function Accept({ dispute }: { readonly dispute: DisputeJson }) {
  const [isAsked, setAsked] = useState(false);
  const { acceptance, accept_obstacle: obstacle } = dispute;
  const isOperator = usePortal() === undefined;
  // The dispute's own state says it already.
  const isShownByState =
    acceptance?.state === dispute.status && acceptance?.stage === dispute.stage;
  const isOpen = isOperator && dispute.status === 'needs_response';
  return (
    <>
      {acceptance !== undefined && !isShownByState && (
        <span>
          Acceptance of the {acceptance.stage.replaceAll('_', ' ')}:{' '}
          <StatePill state={acceptance.state} />
          {acceptance.reason !== undefined && <span className="muted"> {acceptance.reason}</span>}
        </span>
      )}
      {isOpen && obstacle !== undefined && obstacle.message !== dispute.obstacle?.message && (
        <span className="muted">It cannot be accepted here. {localTimes(obstacle.message)}</span>
      )}
      {isOpen && obstacle === undefined && (
        <button type="button" className="button" onClick={() => setAsked(true)}>
          Accept the dispute
        </button>
      )}
      <Ask dispute={dispute} open={isAsked} onClose={() => setAsked(false)} />
    </>
  );
}

function Ask({
  dispute,
  open,
  onClose,
}: {
  readonly dispute: DisputeJson;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const accept = useAcceptDispute(dispute.id);
  const toast = useToast();
  const close = (): void => {
    accept.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Accept the dispute?"
      effect={effectText(dispute)}
      action="Accept, for good"
      isDangerous
      isBusy={accept.isPending}
      error={accept.error}
      onClose={close}
      onConfirm={() =>
        accept.mutate(undefined, {
          onSuccess: ({ state }) => {
            toast(toastMessages[state] ?? `The acceptance is ${state}.`);
            close();
          },
        })
      }
    />
  );
}

function effectText(dispute: DisputeJson): string {
  const { amount, currency, psp, stage = 'dispute', submission } = dispute;
  const money =
    amount === undefined || currency === undefined
      ? 'the disputed money'
      : formatAmount(amount, currency);
  const staged =
    submission?.state === 'staged' && submission.stage === dispute.stage
      ? ' The evidence that is staged is not sent.'
      : '';
  return `Gives ${money} back to the customer’s bank through ${pspName(psp)}, without contesting the ${stage.replaceAll('_', ' ')}. The dispute is then lost. This cannot be undone, and no evidence can be submitted afterwards.${staged}`;
}

const toastMessages: Readonly<Record<string, string>> = {
  accepted: 'The dispute is accepted.',
  unknown: 'The processor did not answer. Recoup will find out what happened.',
  accepting: 'The dispute is being accepted.',
};
