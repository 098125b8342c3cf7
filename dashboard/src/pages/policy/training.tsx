import { useState } from 'react';
import type { TrainingJson } from '../../api/generated/models.ts';
import { isUnderWay, useTrain } from '../../api/policies.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';

/** Asks for a training; while one is under way there is no second. */
export function TrainNow({
  merchantId,
  name,
  training,
}: {
  readonly merchantId: string | undefined;
  readonly name: string;
  readonly training: TrainingJson | undefined;
}) {
  const [isAsked, setAsked] = useState(false);
  const train = useTrain(merchantId);
  const toast = useToast();
  const isBusy = training !== undefined && isUnderWay(training);
  const close = (): void => {
    train.reset();
    setAsked(false);
  };
  return (
    <>
      <ActButton isBusy={isBusy} aria-label={`Train now: ${name}`} onClick={() => setAsked(true)}>
        {isBusy ? 'Training…' : 'Train now'}
      </ActButton>
      <ConfirmDialog
        open={isAsked}
        title={`Train a model: ${name}?`}
        effect="Learns in the background from the newest tries, up to 400,000. The new model is used if it predicts held-out tries better than the present one; otherwise it stays a candidate."
        action="Train"
        isBusy={train.isPending}
        error={train.error}
        onClose={close}
        onConfirm={() =>
          train.mutate(undefined, {
            onSuccess: () => {
              toast('The training is queued.');
              close();
            },
          })
        }
      />
    </>
  );
}

/** How far the last training is, or how it ended. */
export function TrainingState({ training }: { readonly training: TrainingJson }) {
  const { state, tries, message, updated_at: at } = training;
  return (
    <div className="training" role="status">
      <p>
        Last training: <StatePill state={state} /> <Time at={at} />
        {state === 'reading' && `, ${count(tries, 'try', 'tries')} read`}
        {state === 'training' && `, from ${count(tries, 'try', 'tries')}`}
      </p>
      {isUnderWay(training) && <progress aria-label="The training is under way" />}
      {message !== '' && <p>{message}</p>}
    </div>
  );
}
