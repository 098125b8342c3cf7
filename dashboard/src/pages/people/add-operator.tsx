import { useMerchants } from '../../api/merchants.ts';
import { useAddOperator } from '../../api/people.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { RoleField } from './role-field.tsx';

/** Asks who it is and what they may do. */
export function AddOperator({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const add = useAddOperator();
  const merchants = useMerchants().data ?? [];
  const toast = useToast();
  const close = (): void => {
    add.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Add an operator?"
      effect="They sign in with a personal token that you issue next."
      action="Add"
      isBusy={add.isPending}
      error={add.error}
      onClose={close}
      onConfirm={(fields) => {
        const email = String(fields.get('email')).trim();
        const merchant = String(fields.get('merchant'));
        const body = {
          name: String(fields.get('name')).trim(),
          role: String(fields.get('role')) as Parameters<typeof add.mutate>[0]['role'],
          ...(email === '' ? {} : { email }),
          ...(merchant === '' ? {} : { merchants: [merchant] }),
        };
        add.mutate(body, {
          onSuccess: ({ name }) => {
            toast(`${name} is an operator now.`);
            close();
          },
        });
      }}
    >
      <label>
        Name
        <input name="name" required maxLength={200} autoComplete="off" />
      </label>
      <label>
        E-mail (optional)
        <input name="email" type="email" maxLength={320} autoComplete="off" />
      </label>
      <RoleField />
      <Choice
        label="Sees"
        form="above"
        name="merchant"
        options={[
          { value: '', label: 'all merchants' },
          ...merchants.map(({ id, name }) => ({ value: id, label: `${name} alone` })),
        ]}
      />
    </ConfirmDialog>
  );
}
