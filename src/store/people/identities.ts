import type { OperatorRole } from '../../domain/access/operators.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import type { SignedIn } from '../../recovery/people/people-api.ts';
import type { PeopleStore } from '../../recovery/people/people-store.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Queryable, Statement } from '../database.ts';
import { toSignedIn } from './tokens.ts';

const findLinked: Statement = {
  name: 'find_operator_of_identity',
  text: `
    select o.operator_id, o.role, o.merchants, o.removed_at is not null as is_removed
    from operator_identities i
    join operators o on o.operator_id = i.operator_id
    where i.issuer = $1 and i.subject = $2`,
};

const findRemoved: Statement = {
  name: 'find_removed_operator_of_address',
  text: 'select operator_id from operators where email_hash = $1 limit 1',
};

const lockByEmail: Statement = {
  name: 'lock_operator_by_email',
  text: `
    select operator_id, role, merchants from operators
    where email = $1 and removed_at is null for update`,
};

const unlink: Statement = {
  name: 'unlink_operator_identity',
  text: 'delete from operator_identities where issuer = $1 and subject = $2',
};

/** Nothing where the operator is another subject's of the same issuer. */
const link: Statement = {
  name: 'link_operator_identity',
  text: `
    insert into operator_identities (issuer, subject, operator_id, linked_at)
    values ($1, $2, $3, $4)
    on conflict do nothing
    returning operator_id`,
};

interface HolderRow {
  readonly operator_id: string;
  readonly role: OperatorRole;
  readonly merchants: readonly string[] | null;
}

interface LinkedRow extends HolderRow {
  readonly is_removed: boolean;
}

/**
 * Who it is by the subject, or else by the address, which is linked to the subject from then on. Whoever was
 * removed, by either, is let in again when somebody adds their address anew.
 */
export async function signInBy(
  tx: Queryable,
  { identity, emailHash, linkedAt, at }: Parameters<PeopleStore['signInBy']>[0],
): Promise<SignedIn | 'unknown' | 'removed' | 'of_another'> {
  const { issuer, subject, email } = identity;
  const [linked] = await tx.query<LinkedRow>(findLinked, [issuer, subject]);
  if (linked?.is_removed === false) return toSignedIn(linked);
  const nobody = linked === undefined ? 'unknown' : 'removed';
  if (email === undefined) return nobody;
  const [operator] = await tx.query<HolderRow>(lockByEmail, [email.toLowerCase()]);
  if (operator === undefined) {
    const removed = await tx.query(findRemoved, [emailHash]);
    return removed.length > 0 ? 'removed' : nobody;
  }
  if (linked !== undefined) await tx.query(unlink, [issuer, subject]);
  const values = [issuer, subject, operator.operator_id, linkedAt];
  if ((await tx.query(link, values)).length === 0) return 'of_another';
  const detail = { operator_id: operator.operator_id, issuer };
  await appendAudit(tx, allMerchants, { action: 'operator.identity_linked', detail, at });
  return toSignedIn(operator);
}
