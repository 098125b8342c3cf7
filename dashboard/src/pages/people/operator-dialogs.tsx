import type { OperatorJson } from '../../api/generated/operators.ts';
import { useEditOperator, useIssueToken, useRemoveOperator } from '../../api/people.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EditDialog } from '../../parts/edit-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { RoleField } from './role-field.tsx';

/** What is asked about one operator. */
export interface Asked {
  readonly what: 'token' | 'role' | 'remove';
  readonly operator: OperatorJson;
}

interface DialogsProps {
  readonly asked: Asked | undefined;
  readonly onClose: () => void;
  readonly onIssued: (name: string, text: string) => void;
}

export function OperatorDialogs({ asked, onClose, onIssued }: DialogsProps) {
  return (
    <>
      <IssueToken {...{ asked, onClose, onIssued }} />
      <ChangeRole {...{ asked, onClose }} />
      <Remove {...{ asked, onClose }} />
    </>
  );
}

function IssueToken({ asked, onClose, onIssued }: DialogsProps) {
  const issue = useIssueToken();
  const operator = asked?.what === 'token' ? asked.operator : undefined;
  const close = (): void => {
    issue.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={operator !== undefined}
      title="Issue a token?"
      effect={`It is shown once. Whoever has it acts as ${operator?.name ?? ''}, here and on the command line.`}
      action="Issue"
      isBusy={issue.isPending}
      error={issue.error}
      onClose={close}
      onConfirm={(fields) =>
        operator !== undefined &&
        issue.mutate(
          { id: operator.id, days: Number(fields.get('days')) },
          {
            onSuccess: ({ text }) => {
              onIssued(operator.name, text);
              close();
            },
          },
        )
      }
    >
      <Choice
        label="Valid for"
        form="above"
        name="days"
        defaultValue="90"
        options={[7, 30, 90, 365].map((days) => ({
          value: days.toString(),
          label: `${days} days`,
        }))}
      />
    </ConfirmDialog>
  );
}

function ChangeRole({ asked, onClose }: Pick<DialogsProps, 'asked' | 'onClose'>) {
  return asked?.what === 'role' ? <RoleOf operator={asked.operator} onClose={onClose} /> : null;
}

function RoleOf({
  operator,
  onClose,
}: {
  readonly operator: OperatorJson;
  readonly onClose: () => void;
}) {
  return (
    <EditDialog
      open
      title="Change the role?"
      effect={`${operator.name} has to sign in again. Tokens get the rights of the new role at once.`}
      action="Change"
      kept={operator}
      edit={useEditOperator(operator.id)}
      bodyOf={(fields) => ({ role: String(fields.get('role')) })}
      done="The role is changed."
      onClose={onClose}
    >
      <RoleField value={operator.role} />
    </EditDialog>
  );
}

function Remove({ asked, onClose }: Pick<DialogsProps, 'asked' | 'onClose'>) {
  const remove = useRemoveOperator();
  const toast = useToast();
  const operator = asked?.what === 'remove' ? asked.operator : undefined;
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={operator !== undefined}
      title="Remove the operator?"
      effect={`Sessions and tokens of ${operator?.name ?? ''} end at once, and the e-mail address is deleted. This cannot be undone.`}
      action="Remove"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onClose={close}
      onConfirm={() =>
        operator !== undefined &&
        remove.mutate(operator.id, {
          onSuccess: () => {
            toast('The operator is removed.');
            close();
          },
        })
      }
    />
  );
}
