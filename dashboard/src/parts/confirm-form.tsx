import { type FormEvent, type ReactNode, useCallback, useRef } from 'react';
import { ActButton } from './act-button.tsx';
import { DialogText } from './dialog.tsx';
import { FormError } from './form-error.tsx';

export interface ConfirmFormProps {
  /** What will happen, such as `Stops 1 payment of EUR 42.00. Nothing is charged after this.` */
  readonly effect: ReactNode;
  /** The word on the button: a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  /** False: there is nothing that could be done yet. */
  readonly isReady?: boolean;
  readonly error: Error | null;
  /** With what the fields say, and what they said when the form was shown. */
  readonly onConfirm: (fields: FormData, begun: FormData) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The form of a dialog. A failure stays in it, with everything that was typed. */
export function ConfirmForm({
  effect,
  action,
  isDangerous = false,
  isBusy,
  isReady = true,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmFormProps) {
  const begun = useRef(new FormData());
  const begin = useCallback((form: HTMLFormElement | null): void => {
    if (form !== null) begun.current = new FormData(form);
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onConfirm(new FormData(event.currentTarget), begun.current);
  };
  return (
    <form onSubmit={submit} className="form" ref={begin}>
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
  );
}
