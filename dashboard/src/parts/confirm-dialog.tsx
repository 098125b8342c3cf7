import { ConfirmForm, type ConfirmFormProps } from './confirm-form.tsx';
import { Dialog } from './dialog.tsx';

/**
 * Asks before something is done, and says what will happen. `children` are the fields of the form,
 * which `onConfirm` is given.
 */
export function ConfirmDialog({
  open,
  title,
  ...form
}: ConfirmFormProps & { readonly open: boolean; readonly title: string }) {
  return (
    <Dialog open={open} title={title} onClose={form.onClose}>
      <ConfirmForm {...form} />
    </Dialog>
  );
}
