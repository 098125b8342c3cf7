import { useState } from 'react';
import { useSubmitPayments } from '../../api/sandbox.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { useToast } from '../../parts/toasts.tsx';
import { useViewState } from '../../state/view-state.ts';

/** Asks how many payments are to fail, and of which world. */
export function BatchForm() {
  const [isAsked, setAsked] = useState(false);
  const submit = useSubmitPayments();
  const view = useViewState();
  const toast = useToast();
  const close = (): void => {
    submit.reset();
    setAsked(false);
  };
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAsked(true)}>
        Generate failing payments
      </button>
      <ConfirmDialog
        open={isAsked}
        title="Generate failing payments?"
        effect="Reports failed payments of the simulated world to the demo merchant’s recovery. Their declines, amounts and cards are drawn from published figures; each is recovered, or not, as its payer would pay. No money moves."
        action="Generate"
        isBusy={submit.isPending}
        error={submit.error}
        onClose={close}
        onConfirm={(fields) => {
          const body = { count: Number(fields.get('count')), seed: Number(fields.get('seed')) };
          submit.mutate(body, {
            onSuccess: ({ batch }) => {
              toast(`${count(body.count, 'payment', 'payments')} failed. Now move time.`);
              close();
              view.change({ batch });
            },
          });
        }}
      >
        <label>
          How many (up to 500)
          <input name="count" type="number" required min={1} max={500} defaultValue={100} />
        </label>
        <label>
          Seed (the same seed gives the same payers)
          <input name="seed" type="number" required min={0} max={2147483647} defaultValue={1} />
        </label>
      </ConfirmDialog>
    </>
  );
}
