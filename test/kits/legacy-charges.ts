/**
 * SQL that gives our own charges the legacy form, of before charges were their cards’ histories (0176): the place
 * of each stands beside it, in card_attempts.
 */
export const asLegacyCharges: readonly string[] = [
  `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator, credential,
     payment_method_id, invoice_id, amount_minor, currency, acquirer_country, outcome, network_code, advice_code,
     hard_decline, at, is_legacy)
   select merchant_id, charge_ref, card_key, acceptor, origin, network, initiator, credential, payment_method_id,
     invoice_id, amount_minor, currency, acquirer_country, outcome, network_code, advice_code, hard_decline, at, true
   from card_histories h where origin = 'own'
     and exists (select from psp_transactions t
                 where t.merchant_id = h.merchant_id and t.idempotency_key = h.charge_ref and t.card_key is not null)`,
  `update psp_transactions set card_key = null, card_turn = null, network = null, credential = null, acquirer_country = null,
     advice_code = null, hard_decline = null`,
];
