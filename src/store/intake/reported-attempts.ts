import type { CardAttempt } from '../../domain/network-rules/card-attempt.ts';
import { isHardDecline } from '../../domain/network-rules/hard-declines.ts';
import { judgeCharge } from '../../domain/network-rules/judge-charge.ts';
import type { NetworkFee } from '../../domain/network-rules/network-fee.ts';
import { present } from '../../domain/present.ts';
import type { NewTransaction } from '../../recovery/intake-ports.ts';
import { fingerprintKey, type ReadCard } from '../cards/card-history.ts';
import { readCards } from '../cards/read-cards.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * Charges that merchants report, in the histories of their cards. One that is ours, reported back
 * to us, stands there already. Whatever was judged without knowing of them is judged again.
 */
const add: Statement = {
  name: 'add_reported_attempts',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as i (
        merchant_id text, charge_ref text, card_key text, acceptor text, network text,
        credential text, payment_method_id text, invoice_id text, psp_transaction_id text,
        amount_minor bigint, currency text, acquirer_country text, outcome text, network_code text,
        advice_code text, is_hard_decline boolean, at timestamptz, fees json)
    ),
    theirs as materialized (
      select * from input i
      where not exists (
        select from psp_transactions t
        where t.merchant_id = i.merchant_id and t.psp_transaction_id = i.psp_transaction_id)
    ),
    counted as (
      insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
        initiator, credential, payment_method_id, invoice_id, amount_minor, currency,
        acquirer_country, outcome, network_code, advice_code, hard_decline, at)
      select merchant_id, charge_ref, card_key, acceptor, 'reported', network,
             'mit', credential, payment_method_id, invoice_id, amount_minor, currency,
             acquirer_country, outcome, network_code, advice_code, is_hard_decline, at
      from theirs
      order by merchant_id, charge_ref
      on conflict (merchant_id, charge_ref) do nothing
      returning merchant_id, charge_ref, card_key
    ),
    seen as (
      insert into cards as k (merchant_id, card_key, version)
      select distinct merchant_id, card_key, 1 from counted order by merchant_id, card_key
      on conflict (merchant_id, card_key) do update set version = k.version + 1
    ),
    owed as (
      insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency, at)
      select i.merchant_id, i.charge_ref, f.rule, 'expected', i.network, f."amountMicros", f.currency,
             i.at
      from counted c join input i using (merchant_id, charge_ref)
      cross join lateral json_to_recordset(i.fees)
        as f (rule text, "amountMicros" bigint, currency text)
      on conflict (merchant_id, charge_ref, rule) do nothing
    )
    select 1`,
};

interface Reported {
  readonly transaction: NewTransaction;
  readonly card: ReadCard;
  readonly attempt: CardAttempt;
}

/** To be called last in a transaction: payments are locked before cards. */
export async function addReportedAttempts(
  tx: Queryable,
  transactions: readonly NewTransaction[],
): Promise<void> {
  const questions = transactions.map((transaction) => ({
    ...transaction,
    at: transaction.occurredAt,
  }));
  const cards = await readCards(tx, questions);
  const reported = transactions.flatMap((transaction, index) => {
    const card = cards[index];
    if (card === undefined) return [];
    return [
      { transaction, card: toldCard(transaction, card), attempt: toAttempt(transaction, card) },
    ];
  });
  const input = reported.map((item) => toInput(item, reported));
  await tx.query(add, [JSON.stringify(input)]);
}

/**
 * The card that the report names. A late one may be of a card that its method does not stand for any more, whose history
 * was not read: its fees are reckoned by the reports beside it.
 */
function toldCard(transaction: NewTransaction, card: ReadCard): ReadCard {
  const { cardFingerprint, psp } = transaction;
  if (cardFingerprint === undefined || cardFingerprint === card.fingerprint) return card;
  const { renewedAt: _, ...facts } = card.facts;
  const cardKey = fingerprintKey(psp, cardFingerprint);
  return { ...card, cardKey, fingerprint: cardFingerprint, facts, attempts: [] };
}

/** A first charge of a subscription's invoice, by the merchant, without its customer. */
function toAttempt(transaction: NewTransaction, card: ReadCard): CardAttempt {
  const { invoiceId, pspTransactionId, networkCode, adviceCode } = transaction;
  return {
    id: `${invoiceId}/${pspTransactionId}`,
    invoiceId,
    at: transaction.occurredAt,
    initiator: 'mit',
    credential: card.facts.credential,
    outcome: transaction.success ? 'approved' : 'declined',
    ...(!transaction.success && present({ networkCode, adviceCode })),
  };
}

function toInput(
  { transaction, card, attempt }: Reported,
  batch: readonly Reported[],
): Readonly<Record<string, unknown>> {
  return {
    merchant_id: transaction.merchantId,
    charge_ref: attempt.id,
    card_key: card.cardKey,
    acceptor: transaction.psp,
    network: card.facts.network,
    credential: attempt.credential,
    payment_method_id: transaction.paymentMethodId,
    invoice_id: transaction.invoiceId,
    psp_transaction_id: transaction.pspTransactionId,
    amount_minor: transaction.amountMinor,
    currency: transaction.currency,
    acquirer_country: card.facts.acquirerCountry,
    outcome: attempt.outcome,
    network_code: attempt.networkCode,
    advice_code: attempt.adviceCode,
    is_hard_decline: attempt.outcome === 'declined' && isHardDecline(attempt),
    at: attempt.at,
    fees: feesOf({ transaction, card, attempt }, batch),
  };
}

/** What the merchant's own charge cost it, where it broke a rule and was declined. */
function feesOf(
  { transaction, card, attempt }: Reported,
  batch: readonly Reported[],
): readonly NetworkFee[] {
  if (attempt.outcome !== 'declined') return [];
  const sameBatch = batch.filter(
    (other) =>
      other.transaction.merchantId === transaction.merchantId &&
      other.card.cardKey === card.cardKey,
  );
  const known = new Map([
    ...card.attempts.map((item) => [item.id, item] as const),
    ...sameBatch.map((other) => [other.attempt.id, other.attempt] as const),
  ]);
  const before = [...known.values()].filter(({ at }) => at.getTime() < attempt.at.getTime());
  const { invoiceId, amountMinor, currency } = transaction;
  const judged = judgeCharge(before, {
    ...card.facts,
    invoiceId,
    amountMinor,
    currency,
    at: attempt.at,
    initiator: attempt.initiator,
  });
  return judged.kind === 'blocked' ? judged.feesAvoided : judged.expectedFees;
}
