import { type Static, Type } from 'typebox';
import type { Assignee } from '../../disputes/desk/desk-ports.ts';
import { AppError } from '../../domain/errors.ts';
import { shapedField } from '../../http/fields.ts';
import type { OperatorCaller } from '../session/authorize.ts';

export const assigneeShape = Type.Object(
  { id: Type.String(), name: Type.String() },
  { title: 'Assignee', description: 'Who works on it; absent: nobody.' },
);

export const assigneeExample = { id: 'op_6m1c8n4t6r0b2k5h2j7q0x9w', name: 'K. Ito' };

/** Whose disputes, or to whom one is given. */
export const assignedToField = (description: string) =>
  shapedField(
    `${description}: the id of an operator, \`me\`, or \`none\` for nobody.`,
    '^(me|none|op_[0-9a-z]{1,60})$',
    'the id of an operator, me or none',
  );

export function assigneeJson({ operatorId, name }: Assignee): Static<typeof assigneeShape> {
  return { id: operatorId, name };
}

/** The member of a dispute that says who works on it, where somebody does. */
export function assigneeIn(
  assignees: ReadonlyMap<string, Assignee>,
  disputeId: string,
): { assignee?: Static<typeof assigneeShape> } {
  const found = assignees.get(disputeId);
  return found === undefined ? {} : { assignee: assigneeJson(found) };
}

/** Undefined for nobody. @throws AppError conflict where the one token asks for itself */
export function operatorNamed(
  named: string,
  caller: Pick<OperatorCaller, 'operatorId'>,
): string | undefined {
  if (named === 'none') return undefined;
  if (named !== 'me') return named;
  if (caller.operatorId !== undefined) return caller.operatorId;
  throw new AppError(
    'conflict',
    'The shared operator token belongs to nobody in particular: sign in with a personal token or at your provider.',
  );
}
