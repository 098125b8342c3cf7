import { type ModelJson, useActivateModel } from '../../api/policies.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';

/** Has another model plan, and says what that does. */
export function UseModelDialog({
  name,
  model,
  active,
  onClose,
}: {
  readonly name: string;
  /** Absent: nothing is asked. */
  readonly model: ModelJson | undefined;
  readonly active: ModelJson | undefined;
  readonly onClose: () => void;
}) {
  const activate = useActivateModel();
  const toast = useToast();
  const close = (): void => {
    activate.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={model !== undefined}
      title="Use this model?"
      effect={
        <>
          {model?.id} plans for “{name}” from each payment’s next plan on.{' '}
          {active !== undefined && (
            <>
              {active.id} is retired, and can be brought back the same way
              {active.alert === undefined ? '' : '; its alert ends'}.{' '}
            </>
          )}
          It is noted in the audit log.
        </>
      }
      action="Use it"
      isBusy={activate.isPending}
      error={activate.error}
      onClose={close}
      onConfirm={() => {
        if (model === undefined) return;
        activate.mutate(model.id, {
          onSuccess: () => {
            toast(`${model.id} plans now.`);
            close();
          },
        });
      }}
    />
  );
}
