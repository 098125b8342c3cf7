import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ChangedMeanwhile, changesOf, type Edit } from '../api/edit.ts';
import { ConfirmForm } from './confirm-form.tsx';
import { Dialog } from './dialog.tsx';
import { useToast } from './toasts.tsx';

interface Props<Kept extends object> {
  readonly open: boolean;
  readonly title: string;
  readonly effect: ReactNode;
  /** The word on the button: a verb. */
  readonly action: string;
  /** What is changed, as the page shows it. */
  readonly kept: Kept;
  readonly edit: UseMutationResult<Kept, Error, Edit>;
  /** What the fields say, in the API's names. */
  readonly bodyOf: (fields: FormData) => object;
  /** What is sent of it, where one member does not go without another. */
  readonly withOthers?: (change: object, body: object) => object;
  /** What is said once it is changed. */
  readonly done: string | ((changed: Kept) => string);
  /** Shown for a refusal instead of it. */
  readonly inWords?: (error: Error | null) => Error | null;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/**
 * Asks for other settings of something that there is. What the person left alone is not sent, and what
 * somebody else changed meanwhile is shown before it is replaced.
 */
export function EditDialog<Kept extends object>(props: Props<Kept>) {
  const close = (): void => {
    props.edit.reset();
    props.onClose();
  };
  return (
    <Dialog open={props.open} title={props.title} onClose={close}>
      <EditForm {...props} onClose={close} />
    </Dialog>
  );
}

function EditForm<Kept extends object>({
  kept,
  edit,
  bodyOf,
  withOthers = (change) => change,
  done,
  inWords = (error) => error,
  onClose,
  ...asked
}: Props<Kept>) {
  // As it was when the dialog opened, until another state was shown: what the page reads later has not been seen.
  const [seen, setSeen] = useState<object>(kept);
  const toast = useToast();
  const save = (fields: FormData, begun: FormData): void => {
    const body = bodyOf(fields);
    const change = changesOf(bodyOf(begun), body);
    if (Object.keys(change).length === 0) {
      toast('You changed nothing, so nothing is saved.');
      onClose();
      return;
    }
    edit.mutate(
      { begun: seen, change: withOthers(change, body) },
      {
        onError: (error) => {
          if (error instanceof ChangedMeanwhile) setSeen(error.kept);
        },
        onSuccess: (changed) => {
          toast(typeof done === 'string' ? done : done(changed));
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmForm
      {...asked}
      isBusy={edit.isPending}
      error={inWords(edit.error)}
      onConfirm={save}
      onClose={onClose}
    />
  );
}
