import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

const lockOrder = 'test/store/lock-order.test.ts';
const charges = [
  'test/store/engine/charges.test.ts',
  'test/store/cards/card-limits.test.ts',
  lockOrder,
];
const outcomes = [
  'test/store/engine/outcomes.test.ts',
  'test/store/cards/card-limits.test.ts',
  'test/recovery/engine/stop-payment.test.ts',
  lockOrder,
];
const answers = [
  'test/store/engine/answer-store.test.ts',
  'test/recovery/engine/answers/late-answers.test.ts',
];
const claims = ['test/store/engine/due-payments.test.ts', 'test/store/engine/pick-due.test.ts'];

/** Bugs in the statements by which the engine takes, charges and records. */
export const engineMutants: readonly SqlMutant[] = [
  ...mutantsOf('begin_charges', charges, {
    'h.fence = i.fence and h.stop_reason is null': 'h.fence = i.fence',
    'where h.fence = i.fence and': 'where',
    'and h.frozen_at is null': '',
    'and h.joined_to is null': '',
    "and j.state not in ('scheduled', 'stopped', 'exhausted')": 'and false',
    'where not (exists': 'where (true or exists',
    'for share': 'for key share',
    '(select count(*) from named) >= 0 order by 1, 2':
      '(select count(*) from named) >= 0 order by 1 desc, 2 desc',
    "exhausted')\n        for update": "exhausted')",
    'r.card_version as is_as_judged': 'r.card_version or true as is_as_judged',
    'card_key, card_turn + 1,': 'card_key, null,',
    'card_turn + 1, network': 'card_turn, network',
    'from charging where is_as_judged': 'from charging',
    'and (c.merchant_id, c.attempt_id) in (select merchant_id, attempt_id from begun)\n    ),':
      '),',
    "and coalesce(a.state, 'checking') not in ('succeeded', 'declined', 'not_attempted', 'unknown')":
      '',
    'where c.attempt_state is not null and': 'where false and',
    '1 + coalesce((select max(n.number)': '2 + coalesce((select max(n.number)',
    'connection_version, card_key, card_turn + 1, network, credential, acquirer_country,\n             case':
      'connection_version, null, null, null, null, acquirer_country,\n             case',
    "coalesce(a.blocked_charges, '[]') || excluded.blocked_charges": 'excluded.blocked_charges',
    "(select n from charging) then 'card_changed'": "(select n from charging) then 'lease_lost'",
    'min(t.sent_at) as first_sent_at': 'max(t.sent_at) as first_sent_at',
  }),
  ...mutantsOf('begin_charges', ['test/recovery/engine/charging/removed-method.test.ts'], {
    'or m.customer_id = a.customer_id': '',
    'or m.psp_customer_id = a.psp_customer_id': '',
    'where m.merchant_id = a.merchant_id and m.payment_method_id': 'where m.payment_method_id',
  }),
  ...mutantsOf('find_answered_charge', answers, {
    'order by n.sent_at desc': 'order by n.sent_at',
    'and not s.contradicts': '',
    'and s.idempotency_key <> t.idempotency_key': '',
  }),
  ...mutantsOf('record_late_charge', answers, {
    'next_attempt_at = null, lease_until': 'lease_until',
  }),
  ...mutantsOf('move_answered_payment', answers, {
    'case when p.frozen_at is null then $10::timestamptz end': '$10::timestamptz',
    'fence = p.fence + 1': 'fence = p.fence',
  }),
  ...mutantsOf('touch_answered_payment', answers, {
    'case when $4 then null else p.stop_detail end': 'p.stop_detail',
  }),
  ...mutantsOf('record_outcomes', outcomes, {
    'h.fence is distinct from i.fence': 'false',
    'h.revision <> i.revision or i.turn > 1': 'i.turn > 1',
    'h.revision <> i.revision or': 'h.revision <> i.revision and',
    'where r.attempt_state is not null': 'where r.attempt_state is not null and r.tx_state is null',
    '1 + coalesce((select max(n.number)': '2 + coalesce((select max(n.number)',
    'r.planned, r.check_answer': 'null::jsonb, r.check_answer',
    'r.attempt_amount_minor, r.attempt_currency': 'null::bigint, null::text',
    "case when r.attempt_state in ('charging', 'unknown') then null else r.at end as ended_at":
      'r.at as ended_at',
    "and p.state not in ('recovered', 'stopped', 'exhausted')": '',
    "and t.state = 'not_made'": 'and false',
    'delete from card_attempts c using charges t\n      where t.card_key is null':
      'delete from card_attempts c using charges t\n      where false',
    'update card_attempts c\n      set outcome = case when':
      "update card_attempts c\n      set outcome = case when t.state = 'declined' then 'approved' when",
    'where a.hard_decline': 'where false',
    'set version = k.version + 1': 'set version = k.version',
    'hard_decline = r.is_hard_decline': 'hard_decline = false',
    'advice_code = left(r.advice, 64)': 'advice_code = null',
    'case when r.take_over then 1 else 0 end': '0',
    'coalesce(excluded.check_answer, a.check_answer)': 'excluded.check_answer',
    'coalesce(r.decision, p.decision)': 'r.decision',
    'stop_reason = r.stop_reason,': '',
    'case when p.frozen_at is null then r.next_attempt_at end': 'r.next_attempt_at',
    'where (select count(*) from forbidden) >= 0': '',
    'c.last_sequence - e.of_merchant + e.position': 'c.last_sequence',
    'order by e.n, e.position': 'order by e.position',
    'when send_lease_until is null then 0 else 1 end\n      from new_events':
      'when send_lease_until is null then 0 else 1 end\n      from new_events where false',
    'case when send_lease_until is null then 0 else 1 end': '0',
    "case when r.tx_state = 'unknown' then null else r.at end": 'r.at',
  }),
  ...mutantsOf('claim_due_payments', claims, {
    'fence = p.fence + 1': 'fence = p.fence',
    'lease_until = $2': 'lease_until = null',
    'and (w.lease_until is null or w.lease_until <= $1)': '',
    'for update skip locked': '',
    'and w.next_attempt_at <= $1\n': '\n',
    "case when p.due_action = 'attempt' then 'attempting' else p.state end": "'attempting'",
    "w.state = 'attempting' as was_attempting": 'false as was_attempting',
    'm.merchant_id <> all ($3::text[])': 'true',
    'greatest(1, least($4::bigint, $5::bigint / nullif(count(*), 0)))': '$5',
  }),
  ...mutantsOf('read_claimed_payments', claims, {
    'and p.fence = k.fence': '',
  }),
  ...mutantsOf('read_payments_left_attempting', claims, {
    "('checking', 'charging', 'unknown')": "('checking', 'charging')",
    'and p.fence = k.fence': '',
  }),
  ...mutantsOf(
    'request_stop',
    ['test/store/engine/charges.test.ts', 'test/recovery/engine/stop-payment.test.ts'],
    {
      'and p.stop_reason is null': '',
      "and p.state = 'attempting'": '',
      'revision = p.revision + 1': 'revision = p.revision',
    },
  ),
  ...mutantsOf(
    'charge_in_flight',
    ['test/store/engine/charges.test.ts', 'test/recovery/engine/stop-payment.test.ts'],
    {
      "('sending', 'unknown')": "('sending')",
      "in ('sending', 'unknown')": "in ('unknown')",
      'and p.stop_reason is not null': '',
    },
  ),
  ...mutantsOf('postpone_unknown_charge', ['test/store/engine/unknown-charge-store.test.ts'], {
    'look_ups = look_ups + 1': 'look_ups = look_ups',
    'and fence = $4': '',
    "and state not in ('sending', 'succeeded', 'declined', 'not_made')": '',
  }),
  ...mutantsOf('record_first_deliveries', ['test/store/engine/delivery-store.test.ts'], {
    'and d.fence = i.fence': '',
    'lease_until = null': 'lease_until = lease_until',
  }),
  ...mutantsOf('record_deliveries', ['test/store/engine/delivery-store.test.ts'], {
    'and d.fence = i.fence': '',
    'lease_until = null': 'lease_until = lease_until',
  }),
  ...mutantsOf('lock_answered_charge', ['test/recovery/engine/answers'], {
    'and fence = $3': '',
    'and revision = $4': '',
    'and t.state = $7': '',
  }),
];
