/**
 * Text that packed payments are full of, as PostgreSQL writes it: what stands here costs each of them next to
 * nothing. Rows that are packed are read by it, so it never changes: a better one is a second one, beside it.
 */
export const firstDictionary = [
  '"last_error": "other side closed", "status": 503, "error": "timeout", "duration_ms": 10000, "number": 1, "sent_at": "2026-',
  '"endpoint_id": "end_", "replay_id": "rpl_", "last_answer": "", "answer": "OK", "state": "exhausted", "tries": 15, ',
  '{"code": "do_not_honor", "message": "Do not honor.", "network": "mastercard", "sources": [{"said": "05", "source": "network_code", "category": "later"}], "category": "later", "networkCode": "05", "adviceCode": "03"}',
  '{"said": "fraudulent", "source": "psp_code", "category": "never"}, {"said": "try_again_later", "source": "advice_code", "category": "later"}',
  '{"code": "expired_card", "category": "update", "message": "The card has expired."}{"code": "stolen_card", "category": "never"}',
  '"merchant_id": "mer_", "ordinal": 1, "reason": "card_limit", "blocked_charges": [{"reason": "',
  '"leading": [{"words": "", "value": 0.5, "effect": 0.0, "feature": "hours_since_failure"}, {"words": "", "value": 1, "effect": -0.0, "feature": "',
  '{"at": "2026-01-01T00:00:00.000Z", "arm": "learned", "kind": "attempt", "chance": 0.2, "policy": "learned", "because": "the best of the times that the model weighed", "leading": [',
  '"arm": "explore", "arm": "holdout", "policy": "fixed", "because": "fixed day 3", "because": "payment method  was added or updated", ',
  '"is_late": true, "type": "incident", "type": "end_of_dunning", "recovered\\":false,\\"reason\\":\\"exhausted\\"',
  '"message": "Not sufficient funds.", "code": "insufficient_funds", "merchant_payment_method_id\\":\\"pm_',
  '{"charges": {"att_/1": {"decline": {"code": "insufficient_funds", "message": "Not sufficient funds.", "network": "visa", "sources": [{"said": "51", "source": "network_code", "category": "later"}], "category": "later", "networkCode": "51"}}}, ',
  '{"events": [{"body": "{\\"timestamp\\":\\"2026-12-01T04:23:10.075Z\\",\\"service_id\\":\\"att_\\",\\"customer_id\\":\\"cus_\\",\\"subscription_id\\":\\"sub_\\",\\"invoice_id\\":\\"inv_\\",\\"transaction_id\\":\\"txn_\\",\\"original_psp_transaction_id\\":\\"ch_\\",\\"psp_transactions\\":[{\\"psp_transaction_id\\":\\"ch_\\",\\"network_transaction_id\\":\\"\\",\\"merchant_payment_method_id\\":\\"pm_\\",\\"success\\":false}],\\"original_amount\\":49.00,\\"amount_collected\\":49.00,\\"currency\\":\\"USD\\",\\"success\\":true,\\"custom\\":{\\"',
  '"type": "retry_result", "event_id": "evt_", "sequence": 1, "attempt_id": "att_", "created_at": "2026-12-01T04:23:10.075+00:00"}, {"body": "{\\"timestamp\\":\\"2026-12-01T04:23:10.075Z\\",\\"invoice_id\\":\\"inv_\\",\\"recovered\\":true,\\"custom\\":{\\"',
  '"type": "end_of_dunning", "event_id": "evt_", "sequence": 2, "created_at": "2026-12-01T04:23:10.075+00:00"}], "charges": {}, "payment": {"decision": {"at": "2026-12-01T04:23:08.378Z", "kind": "attempt", "policy": "fixed", "because": "the even schedule\'s next time", "methods": ["pm_"], "bounded_by": [], "candidates": [{"at": "2026-12-01T04:23:08.378Z", "score": 1}], "decided_at": "2026-11-27T16:23:08.681Z", "propensity": 1, "policy_version": "1", "rule_pack_version": "2026.11.1"}, "first_decline": {"code": "51", "message": "51: later", "network": "visa", "sources": [{"said": "51", "source": "network_code", "category": "later"}], "category": "later", "networkCode": "51"}}, "attempts": {"att_": {"decision": {"at": "2026-12-01T04:23:08.378Z", "kind": "attempt", "policy": "fixed", "because": "',
  '"check_answer": {"retry": true, "reason": "Invoice open", "answered_at": "2026-12-01T04:23:10.050Z"}}}, "deliveries": [{"event_id": "evt_", "created_at": "2026-12-01T04:23:10.075+00:00", "last_status": 200, "delivered_at": "2026-12-01T04:23:10.098+00:00", "last_sent_at": "2026-12-01T04:23:10.092+00:00", "last_duration_ms": 5, "window_started_at": "2026-12-01T04:23:10.092+00:00"}, {"event_id": "evt_", "created_at": "2026-12-01T04:23:10.075+00:00", "last_status": 200, "delivered_at": "',
  '}], "delivery_tries": [], "endpoint_deliveries": [], "endpoint_delivery_tries": []}',
].join('');
