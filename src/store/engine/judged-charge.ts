import { type Judgement, judgeCharge } from '../../domain/network-rules/judge-charge.ts';
import { rulePackVersion } from '../../domain/network-rules/rule-pack.ts';
import { present } from '../../domain/present.ts';
import type { BeginCharge } from '../../recovery/engine-ports.ts';
import type { ReadCard } from '../cards/card-history.ts';

/** A charge with its place in the batch, the card that it is of, and what its networks' rules say. */
export interface JudgedCharge {
  readonly index: number;
  readonly charge: BeginCharge;
  readonly card: ReadCard;
  readonly judged: Judgement;
}

export function judgeOnCard(charge: BeginCharge, card: ReadCard): Judgement {
  const { invoiceId, amountMinor, currency, sentAt: at } = charge;
  // Nobody sits before a screen when a payment is recovered.
  const initiator = 'mit';
  return judgeCharge(card.attempts, {
    ...card.facts,
    invoiceId,
    amountMinor,
    currency,
    at,
    initiator,
  });
}

/** Of each card the first charge that is allowed, and every one that is refused. */
export function oneOfEachCard(charges: readonly JudgedCharge[]): readonly JudgedCharge[] {
  const seen = new Set<string>();
  return charges.filter(({ charge, card, judged }) => {
    // A refusal changes nothing that another charge of the card is judged by.
    if (judged.kind === 'blocked') return true;
    const key = `${charge.merchantId} ${card.cardKey}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The charge as the statement that begins it takes it; `n` is its place there. */
export function judgedRow(
  { charge, card, judged }: JudgedCharge,
  n: number,
): Readonly<Record<string, unknown>> {
  const isBlocked = judged.kind === 'blocked';
  return {
    n,
    merchant_id: charge.merchantId,
    invoice_id: charge.invoiceId,
    fence: charge.fence,
    attempt_id: charge.attemptId,
    ordinal: charge.ordinal,
    psp: charge.psp,
    idempotency_key: charge.idempotencyKey,
    payment_method_id: charge.paymentMethodId,
    amount_minor: charge.amountMinor,
    currency: charge.currency,
    check_answer: charge.check,
    started_at: charge.startedAt,
    sent_at: charge.sentAt,
    connection_version: charge.connectionVersion,
    card_key: card.cardKey,
    card_version: card.version,
    card_turn: card.turn,
    network: card.facts.network,
    credential: card.facts.credential,
    acquirer_country: card.facts.acquirerCountry,
    fees: isBlocked ? judged.feesAvoided : judged.expectedFees,
    ...(isBlocked && { blocked: [refusal(charge, judged)] }),
  };
}

/** A refused charge as its attempt's record shows it. */
function refusal(
  charge: BeginCharge,
  { rule, until }: Extract<Judgement, { kind: 'blocked' }>,
): Readonly<Record<string, unknown>> {
  return {
    payment_method_id: charge.paymentMethodId,
    rule: rule.id,
    network: rule.network,
    because: rule.words,
    source: rule.source,
    rule_pack_version: rulePackVersion,
    at: charge.sentAt,
    ...present({ until }),
  };
}
