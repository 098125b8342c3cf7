import type {
  CardAttempt,
  CardAttemptOutcome,
  CardFacts,
  CredentialForm,
  Initiator,
} from '../../domain/network-rules/card-attempt.ts';
import { maxWindowDays } from '../../domain/network-rules/hard-declines.ts';
import { ruledNetworkOf } from '../../domain/network-rules/ruled-network.ts';
import { present } from '../../domain/present.ts';
import type { CardHistory } from '../../recovery/engine-ports.ts';

/** Where a charge's card is looked for; each is an SQL expression, `m` a payment_methods alias. */
interface CardOf {
  readonly m: string;
  readonly merchantId: string;
  readonly psp: string;
  readonly paymentMethodId: string;
}

/**
 * Charges of a card that are read, of each counter's approved ones and others: ten times the highest
 * limit. So many newer ones that were not approved exhaust every limit, and an approval that is left
 * out makes the judgement stricter; but a method id that a merchant uses for everybody stays cheap.
 */
const maxTries = 350;

/** SQL of the name of a card: its fingerprint, or its method's own id where there is none. */
export function cardKey({
  m,
  psp,
  paymentMethodId,
}: Pick<CardOf, 'm' | 'psp' | 'paymentMethodId'>): string {
  return `coalesce('fingerprint:' || ${psp} || ':' || ${m}.fingerprint,
                   ${psp} || ':' || ${paymentMethodId})`;
}

/** The same of a card whose fingerprint is told. */
export const fingerprintKey = (psp: string, fingerprint: string): string =>
  `fingerprint:${psp}:${fingerprint}`;

/**
 * SQL of a card as JSON: its name, its version and last turn, what the rules ask of it, and every charge of it that
 * they may count: those inside the longest window before `at`, those of the invoice, and declines
 * that may forbid the card unless an approval came after them. A card that is known by its
 * fingerprint has charges under the ids of its methods as well, from before it was known.
 */
export function cardJson(
  card: CardOf & { readonly invoiceId: string; readonly at: string },
): string {
  const { m, merchantId, psp, invoiceId, at } = card;
  return `(
    select json_build_object(
      'key', k.key, 'version', c.version,
      'turn', (
        select t.card_turn from psp_transactions t
        where t.merchant_id = ${merchantId} and t.card_key = k.key and t.card_turn is not null
        order by t.card_turn desc limit 1),
      'scheme', ${m}.scheme,
      'fingerprint', ${m}.fingerprint,
      'credential_form', ${m}.credential_form, 'issuer_country', ${m}.issuer_country,
      'acquirer_country', ${m}.acquirer_country,
      'renewed_at', case when ${m}.fingerprint is null or ${m}.signalled_at > ${m}.fingerprint_at
                         then ${m}.signalled_at end,
      'attempts', (
        select json_agg(json_build_object(
                 'id', a.charge_ref, 'invoice_id', a.invoice_id, 'at', a.at,
                 'initiator', a.initiator, 'credential', a.credential, 'outcome', a.outcome,
                 'network_code', a.network_code, 'advice_code', a.advice_code))
        from (
          select a.*, row_number() over (
            partition by a.outcome = 'approved', a.initiator, a.credential
            order by a.at desc, a.charge_ref) as newest
          from card_histories a
          where a.merchant_id = ${merchantId} and a.card_key = any (k.keys)
            and a.acceptor = ${psp}
            and (a.at > ${at} - interval '${maxWindowDays} days'
              or a.invoice_id = ${invoiceId}
              or a.hard_decline and not exists (
                   select from card_histories b
                   where b.merchant_id = a.merchant_id and b.card_key = any (k.keys)
                     and b.acceptor = a.acceptor and b.outcome = 'approved' and b.at > a.at))
        ) a
        where a.newest <= ${maxTries}))
    from (
      select own.key, case
               when ${m}.fingerprint is null then array[own.key]
               else own.key || array(
                 select ${psp} || ':' || o.payment_method_id from payment_methods o
                 where o.merchant_id = ${merchantId} and o.fingerprint = ${m}.fingerprint)
             end as keys
      from (select ${cardKey(card)} as key) own
      -- Columns, not expressions: behind row-level security those find no index.
      offset 0
    ) k
    left join cards c on c.merchant_id = ${merchantId} and c.card_key = k.key)`;
}

export interface CardRow {
  readonly key: string;
  /** Null for a card of which nothing was told but by charges of ours. */
  readonly version: number | null;
  /** Null for a card that no charge was begun of. */
  readonly turn: number | null;
  readonly scheme: string | null;
  readonly fingerprint: string | null;
  readonly credential_form: CredentialForm | null;
  readonly issuer_country: string | null;
  readonly acquirer_country: string | null;
  readonly renewed_at: string | null;
  readonly attempts: readonly CardAttemptRow[] | null;
}

/** A card's history with what tells whether it is still the whole: the version of its row, and the last turn. */
export interface ReadCard extends CardHistory {
  readonly version: number;
  readonly turn: number;
}

interface CardAttemptRow {
  readonly id: string;
  readonly invoice_id: string;
  readonly at: string;
  readonly initiator: Initiator;
  readonly credential: CredentialForm;
  readonly outcome: CardAttemptOutcome;
  readonly network_code: string | null;
  readonly advice_code: string | null;
}

export function toCardHistory(row: CardRow): ReadCard {
  return {
    cardKey: row.key,
    ...present({
      fingerprint: row.fingerprint ?? undefined,
      credentialForm: row.credential_form ?? undefined,
    }),
    facts: toFacts(row),
    attempts: (row.attempts ?? []).map(toAttempt),
    version: row.version ?? 0,
    turn: row.turn ?? 0,
  };
}

function toFacts(row: CardRow): CardFacts {
  return {
    network: ruledNetworkOf(row.scheme ?? undefined),
    // Visa counts numbers and tokens apart: until a PSP tells, all count as one, the number.
    credential: row.credential_form ?? 'pan',
    ...(row.issuer_country !== null && { issuerCountry: row.issuer_country.toUpperCase() }),
    ...(row.acquirer_country !== null && { acquirerCountry: row.acquirer_country.toUpperCase() }),
    ...(row.renewed_at !== null && { renewedAt: new Date(row.renewed_at) }),
  };
}

function toAttempt(row: CardAttemptRow): CardAttempt {
  return {
    id: row.id,
    invoiceId: row.invoice_id,
    at: new Date(row.at),
    initiator: row.initiator,
    credential: row.credential,
    outcome: row.outcome,
    ...present({
      networkCode: row.network_code ?? undefined,
      adviceCode: row.advice_code ?? undefined,
    }),
  };
}
