import type { FormEvent, ReactNode } from 'react';
import { ActButton } from './act-button.tsx';
import { Dialog, DialogText } from './dialog.tsx';
import { FormError } from './form-error.tsx';

/**
 * Asks before something is done, and says what will happen. `children` are the fields of the form,
 * which `onConfirm` is given. A failure stays in the dialog, with everything that was typed.
 */
export function ConfirmDialog({
  open,
  title,
  effect,
  action,
  isDangerous = false,
  isBusy,
  isReady = true,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly open: boolean;
  readonly title: string;
  /** What will happen, such as `Stops 1 payment of EUR 42.00. Nothing is charged after this.` */
  readonly effect: ReactNode;
  /** The word on the button: a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  /** False: there is nothing that could be done yet. */
  readonly isReady?: boolean;
  readonly error: Error | null;
  readonly onConfirm: (fields: FormData) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onConfirm(new FormData(event.currentTarget));
  };
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <form onSubmit={submit} className="form">
        <DialogText>{effect}</DialogText>
        {children}
        <FormError error={error} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <ActButton
            type="submit"
            className={isDangerous ? 'button danger' : 'button primary'}
            isBusy={isBusy}
            isReady={isReady}
          >
            {isBusy ? 'Working…' : action}
          </ActButton>
        </div>
      </form>
    </Dialog>
  );
}
