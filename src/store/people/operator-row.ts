import type { OperatorRole } from '../../domain/access/operators.ts';
import { present } from '../../domain/present.ts';
import type { OperatorView } from '../../recovery/people/people-api.ts';

export const operatorColumns =
  'o.operator_id, o.name, o.email, o.role, o.merchants, o.created_at, o.removed_at';

export interface OperatorRow {
  readonly operator_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: OperatorRole;
  readonly merchants: readonly string[] | null;
  readonly created_at: Date;
  readonly removed_at: Date | null;
}

export function toOperator(row: OperatorRow): OperatorView {
  return present({
    operatorId: row.operator_id,
    name: row.name,
    email: row.email ?? undefined,
    role: row.role,
    merchants: row.merchants ?? undefined,
    createdAt: row.created_at,
    removedAt: row.removed_at ?? undefined,
  });
}
