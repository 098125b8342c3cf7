import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import type { OperatorView } from '../../recovery/people/people-api.ts';
import type { PeopleStore } from '../../recovery/people/people-store.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { signInBy } from './identities.ts';
import { type OperatorRow, operatorColumns, toOperator } from './operator-row.ts';
import { forgetOwnViews } from './saved-views.ts';
import { addToken, listTokens, revokeToken, useToken } from './tokens.ts';

const list: Statement = {
  name: 'list_operators',
  text: `
    select ${operatorColumns} from operators o
    order by o.removed_at is not null, o.name, o.operator_id limit 1000`,
};

const find: Statement = {
  name: 'find_operator',
  text: `select ${operatorColumns} from operators o where o.operator_id = $1`,
};

const lock: Statement = {
  name: 'lock_operator',
  text: `
    select ${operatorColumns} from operators o
    where o.operator_id = $1 and o.removed_at is null for update`,
};

const insert: Statement = {
  name: 'insert_operator',
  text: `
    insert into operators (operator_id, name, email, role, merchants, created_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (email) where email is not null do nothing
    returning operator_id`,
};

const countMerchants: Statement = {
  name: 'count_merchants_of_ids',
  text: 'select count(*)::integer as count from merchants where merchant_id = any($1::text[])',
};

const update: Statement = {
  name: 'change_operator',
  text: `
    update operators
    set name = coalesce($2, name), role = coalesce($3, role),
        merchants = case when $5::boolean then null else coalesce($4::text[], merchants) end
    where operator_id = $1`,
};

const remove: Statement = {
  name: 'remove_operator',
  text: `
    update operators
    set removed_at = $2, email = null, email_hash = $3
    where operator_id = $1`,
};

const endSessions: Statement = {
  name: 'end_sessions_of_operator',
  text: 'delete from operator_sessions where operator_id = $1',
};

const endTokens: Statement = {
  name: 'end_tokens_of_operator',
  text: `
    update operator_tokens set revoked_at = $2 where operator_id = $1 and revoked_at is null`,
};

/** Operators in the database; each write is one transaction with its line of the audit log. */
export function createPeopleStore({ db }: { readonly db: Database }): PeopleStore {
  return {
    list: async () => (await db.query<OperatorRow>(list, [])).map(toOperator),
    async find(operatorId) {
      const [row] = await db.query<OperatorRow>(find, [operatorId]);
      return row && toOperator(row);
    },
    add: (operator, at) => db.transaction((tx) => addOne(tx, operator, at)),
    change: (input) => db.transaction((tx) => changeOne(tx, input)),
    remove: (input) => db.transaction((tx) => removeOne(tx, input)),
    listTokens: (operatorId) => listTokens(db, operatorId),
    addToken: (token) => db.transaction((tx) => addToken(tx, token)),
    revokeToken: (input) => db.transaction((tx) => revokeToken(tx, input)),
    useToken: (input) => useToken(db, input),
    signInBy: (input) => db.transaction((tx) => signInBy(tx, input)),
  };
}

async function addOne(
  tx: Queryable,
  operator: OperatorView,
  at: Date,
): Promise<'added' | 'email_taken' | 'no_merchant'> {
  const { operatorId, name, email, role, merchants, createdAt } = operator;
  if (!(await areThere(tx, merchants))) return 'no_merchant';
  const values = [operatorId, name, email, role, merchants, createdAt];
  const added = await tx.query(insert, values);
  if (added.length === 0) return 'email_taken';
  const after = audited(operator);
  await note(tx, { action: 'operator.added', operatorId, after, at });
  return 'added';
}

async function changeOne(
  tx: Queryable,
  { operatorId, change, at }: Parameters<PeopleStore['change']>[0],
): Promise<OperatorView | 'no_merchant' | undefined> {
  const [locked] = await tx.query<OperatorRow>(lock, [operatorId]);
  if (locked === undefined) return undefined;
  const isForAll = change.merchants === 'all';
  const merchants = change.merchants === 'all' ? undefined : change.merchants;
  if (!(await areThere(tx, merchants))) return 'no_merchant';
  await tx.query(update, [operatorId, change.name, change.role, merchants, isForAll]);
  await tx.query(endSessions, [operatorId]);
  const [row] = await tx.query<OperatorRow>(lock, [operatorId]);
  const [before, after] = [audited(toOperator(locked)), row && audited(toOperator(row))];
  await note(tx, { action: 'operator.changed', operatorId, before, ...present({ after }), at });
  return row && toOperator(row);
}

async function removeOne(
  tx: Queryable,
  { operatorId, hashEmail, removedAt, at }: Parameters<PeopleStore['remove']>[0],
): Promise<boolean> {
  const [locked] = await tx.query<OperatorRow>(lock, [operatorId]);
  if (locked === undefined) return false;
  await tx.query(endSessions, [operatorId]);
  await tx.query(endTokens, [operatorId, removedAt]);
  await tx.query(forgetOwnViews, [operatorId]);
  const { email } = locked;
  await tx.query(remove, [operatorId, removedAt, email === null ? null : hashEmail(email)]);
  const before = audited(toOperator(locked));
  await note(tx, { action: 'operator.removed', operatorId, before, at });
  return true;
}

async function areThere(tx: Queryable, merchants: readonly string[] = []): Promise<boolean> {
  const asked = new Set(merchants);
  if (asked.size === 0) return true;
  const [row] = await tx.query<{ count: number }>(countMerchants, [[...asked]]);
  return row?.count === asked.size;
}

/** What the audit log keeps of an operator: what they may do, and neither name nor address. */
function audited({ role, merchants }: OperatorView): JsonObject {
  return { role, merchants: merchants === undefined ? 'all' : [...merchants] };
}

async function note(
  tx: Queryable,
  line: {
    readonly action: string;
    readonly operatorId: string;
    readonly before?: JsonObject;
    readonly after?: JsonObject;
    readonly at: Date;
  },
): Promise<void> {
  const { operatorId, ...entry } = line;
  await appendAudit(tx, allMerchants, { ...entry, detail: { operator_id: operatorId } });
}
