import { useAssign, useAssignees } from '../../api/dispute-desk.ts';
import type { AssigneeJson, DisputeJson } from '../../api/generated/disputes.ts';
import { Choice } from '../../parts/choice.tsx';
import { Filter } from '../../parts/filter.tsx';
import { useToast } from '../../parts/toasts.tsx';

const nobody = 'none';

/** Who works on a dispute, to be chosen. What is chosen holds at once, and can be chosen again. */
export function AssigneeChoice({ dispute }: { readonly dispute: DisputeJson }) {
  const { data } = useAssignees({ merchant_id: dispute.merchant_id });
  const assign = useAssign(dispute.id);
  const toast = useToast();
  const { assignee } = dispute;
  const isOne = data?.assignees.some(({ id }) => id === assignee?.id) === true;
  // Somebody whose role has changed since still stands there.
  const people = [
    ...(data?.assignees ?? []),
    ...(assignee !== undefined && !isOne ? [assignee] : []),
  ];
  const choose = (to: string): void =>
    assign.mutate(to, {
      onSuccess: ({ assignee: given }) =>
        toast(given === undefined ? 'Nobody works on it.' : `${given.name} works on it.`),
      onError: ({ message }) => toast(message),
    });
  return (
    <Choice
      label="Assigned to"
      form="unseen"
      value={assignee?.id ?? nobody}
      options={[
        { value: nobody, label: 'Nobody' },
        ...people.map(({ id, name }) => ({ value: id, label: nameOf(name, id === data?.me) })),
      ]}
      onChange={choose}
    />
  );
}

/** Narrows a list to whose work it is. */
export function AssigneeFilter({ merchantId }: { readonly merchantId: string | undefined }) {
  const { data } = useAssignees({ merchant_id: merchantId });
  const me = data?.me;
  const people = data?.assignees.filter(({ id }) => id !== me) ?? [];
  const names = new Map<string, string>([
    ['me', 'Me'],
    [nobody, 'Nobody'],
    ...people.map(({ id, name }): [string, string] => [id, name]),
  ]);
  const values = [...(me === undefined ? [] : ['me']), nobody, ...people.map(({ id }) => id)];
  return (
    <Filter
      name="Assigned to"
      param="assigned_to"
      values={values}
      label={(value) => names.get(value) ?? value}
    />
  );
}

export function assigneeText({ assignee }: { readonly assignee?: AssigneeJson }) {
  return assignee === undefined ? <span className="muted">nobody</span> : assignee.name;
}

function nameOf(name: string, isMe: boolean): string {
  return isMe ? `${name} (me)` : name;
}
