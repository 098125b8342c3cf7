import { invariant } from '../../domain/errors.ts';
import type { CustomerAddress } from '../../recovery/messages/customer-address.ts';
import { currentDataKey } from '../admin/secrets.ts';
import type { Queryable, Statement } from '../database.ts';
import type { Sealer, SecretPlace } from '../sealing/sealer.ts';

const keep: Statement = {
  name: 'keep_customer_address',
  text: `
    insert into customer_addresses (merchant_id, customer_id, sealed, key_version, address_hash,
      language, time_zone, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (merchant_id, customer_id) do update set
      sealed = excluded.sealed, key_version = excluded.key_version,
      address_hash = excluded.address_hash,
      language = coalesce(excluded.language, customer_addresses.language),
      time_zone = coalesce(excluded.time_zone, customer_addresses.time_zone),
      updated_at = excluded.updated_at`,
};

const find: Statement = {
  name: 'find_customer_address',
  text: `
    select a.customer_id, a.sealed, a.key_version, k.wrapped_key
    from message_threads t
    join customer_addresses a on a.merchant_id = t.merchant_id and a.customer_id = t.customer_id
    join data_keys k on k.merchant_id = a.merchant_id and k.version = a.key_version
    where t.merchant_id = $1 and t.invoice_id = $2`,
};

const findOf: Statement = {
  name: 'find_address_of_customer',
  text: `
    select a.customer_id, a.sealed, a.key_version, k.wrapped_key
    from customer_addresses a
    join data_keys k on k.merchant_id = a.merchant_id and k.version = a.key_version
    where a.merchant_id = $1 and a.customer_id = $2`,
};

const erase: Statement = {
  name: 'erase_customer_address',
  text: `
    delete from customer_addresses where merchant_id = $1 and customer_id = $2
    returning address_hash`,
};

/** What names the person of a message goes with the address, and so does that of one which they had before. */
const forgetRecipient: Statement = {
  name: 'forget_recipient_of_messages',
  text: `
    update customer_messages m set address_hash = null
    where m.merchant_id = $1 and (m.address_hash = $3 or m.address_hash is not null and m.invoice_id in (
      select p.invoice_id from payments p where p.merchant_id = $1 and p.customer_id = $2))`,
};

const forgetCardRecipient: Statement = {
  name: 'forget_recipient_of_card_messages',
  text: `
    update card_messages m set address_hash = null
    where m.merchant_id = $1
      and (m.address_hash = $3 or m.address_hash is not null and m.customer_id = $2)`,
};

/**
 * The address of whose card ends before its subscription is billed again stays: who pays by the year would have
 * none left when the card's notice is due. It goes with the card, which another one or the renewal replaces.
 */
const forget: Statement = {
  name: 'forget_customer_addresses',
  text: `
    delete from customer_addresses a
    where a.updated_at < $1 and not exists (
      select from payments p
      where p.merchant_id = a.merchant_id and p.customer_id = a.customer_id
        and p.state in ('scheduled', 'attempting'))
      and not exists (
        select from card_notices n
        where n.merchant_id = a.merchant_id and n.customer_id = a.customer_id
          and n.resolved_at is null)
      and not exists (
        select from subscription_cards s
        where s.merchant_id = a.merchant_id and s.customer_id = a.customer_id
          and s.card_ends_at <= s.renews_at and s.renews_at > $2)`,
};

interface Row {
  readonly customer_id: string;
  readonly sealed: Buffer;
  readonly key_version: number;
  readonly wrapped_key: Buffer;
}

interface Deps {
  readonly db: Queryable;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
}

/** Keeps where a customer is written to, sealed: the one reported last. */
export async function keepAddress({ db, sealer }: Deps, address: CustomerAddress): Promise<void> {
  const { merchantId, customerId, email, hash, language, timeZone, at } = address;
  const dataKey = await currentDataKey(db, merchantId);
  invariant(dataKey !== undefined, 'a merchant has a data key');
  const sealed = await sealer.seal(placeOf(merchantId, customerId), dataKey, email);
  const { version } = dataKey;
  const values = [merchantId, customerId, sealed, version, hash, language, timeZone, at];
  await db.query(keep, values);
}

/** The address of a payment's customer. @throws AppError encryption_key_wrong */
export async function openAddress(
  { db, sealer }: Deps,
  { merchantId, invoiceId }: { readonly merchantId: string; readonly invoiceId: string },
): Promise<string | undefined> {
  return opened(sealer, merchantId, await db.query<Row>(find, [merchantId, invoiceId]));
}

/** The address of a customer. @throws AppError encryption_key_wrong */
export async function openAddressOf(
  { db, sealer }: Deps,
  { merchantId, customerId }: { readonly merchantId: string; readonly customerId: string },
): Promise<string | undefined> {
  return opened(sealer, merchantId, await db.query<Row>(findOf, [merchantId, customerId]));
}

async function opened(
  sealer: Deps['sealer'],
  merchantId: string,
  [row]: readonly Row[],
): Promise<string | undefined> {
  if (row === undefined) return undefined;
  const { customer_id: customerId, key_version: version, wrapped_key: wrappedKey } = row;
  return sealer.open(placeOf(merchantId, customerId), { version, wrappedKey }, row.sealed);
}

/**
 * Removes a customer's address for good. That somebody wants no messages is kept, as a hash. Called within a
 * transaction: who writes a message down just now holds the address, so the removal waits for them, and the statements
 * after it see what they wrote.
 */
export async function eraseAddress(
  tx: Queryable,
  { merchantId, customerId }: { readonly merchantId: string; readonly customerId: string },
): Promise<void> {
  const customer = [merchantId, customerId];
  const [gone] = await tx.query<{ address_hash: string }>(erase, customer);
  const values = [...customer, gone?.address_hash ?? null];
  await tx.query(forgetRecipient, values);
  await tx.query(forgetCardRecipient, values);
}

/**
 * Removes addresses that nobody reported since `before`, of customers without an open payment or notice, and
 * without a card that ends before a renewal after `at`.
 */
export async function forgetAddresses(
  db: Queryable,
  { before, at }: { readonly before: Date; readonly at: Date },
): Promise<void> {
  await db.query(forget, [before, at]);
}

function placeOf(merchantId: string, customerId: string): SecretPlace {
  return { merchantId, kind: 'customer_address', name: customerId };
}
