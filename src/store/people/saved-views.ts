import { present } from '../../domain/present.ts';
import type { SavedView, SavedViewStore } from '../../recovery/people/saved-views.ts';
import type { Database, Statement } from '../database.ts';

const columns = 'v.view_id, v.owner_id, v.name, v.path, v.merchant_id, v.is_shared, v.created_at';

const list: Statement = {
  name: 'list_saved_views',
  text: `
    select ${columns} from saved_views v
    where v.owner_id = $1
       or v.is_shared and ($2::text[] is null or v.merchant_id = any($2))
    order by lower(v.name), v.view_id limit 500`,
};

/** Two at the same time may both be the last: nobody minds one view more. */
const save: Statement = {
  name: 'save_view',
  text: `
    insert into saved_views as v
      (view_id, owner_id, name, path, merchant_id, is_shared, created_at)
    select $1::text, $2::text, $3::text, $4::text, $5::text, $6::boolean, $7::timestamptz
    where (select count(*) from saved_views where owner_id = $2 and name <> $3) < $8::int
    on conflict (owner_id, name) do update
    set path = excluded.path, merchant_id = excluded.merchant_id, is_shared = excluded.is_shared
    returning ${columns}`,
};

const remove: Statement = {
  name: 'remove_saved_view',
  text: `
    delete from saved_views where view_id = $1 and (owner_id = $2 or $3::boolean and is_shared)
    returning view_id`,
};

/** What a person alone saw goes with them; what they shared stays. */
export const forgetOwnViews: Statement = {
  name: 'forget_own_views_of_operator',
  text: 'delete from saved_views where owner_id = $1 and not is_shared',
};

interface Row {
  readonly view_id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly path: string;
  readonly merchant_id: string | null;
  readonly is_shared: boolean;
  readonly created_at: Date;
}

export function createSavedViewStore({ db }: { readonly db: Database }): SavedViewStore {
  return {
    async list({ ownerId, merchants }) {
      return (await db.query<Row>(list, [ownerId, merchants])).map(toView);
    },
    async save({ viewId, ownerId, name, path, merchantId, isShared, createdAt }, max) {
      const values = [viewId, ownerId, name, path, merchantId, isShared, createdAt, max];
      const [row] = await db.query<Row>(save, values);
      return row === undefined ? 'too_many' : toView(row);
    },
    async remove({ viewId, ownerId, orShared }) {
      return (await db.query(remove, [viewId, ownerId, orShared])).length > 0;
    },
  };
}

function toView(row: Row): SavedView {
  return present({
    viewId: row.view_id,
    ownerId: row.owner_id,
    name: row.name,
    path: row.path,
    merchantId: row.merchant_id ?? undefined,
    isShared: row.is_shared,
    createdAt: row.created_at,
  });
}
