import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

const intake = ['test/store/intake', 'test/recovery/intake'];
const debts = ['test/store/debts', 'test/store/intake', 'test/recovery/debts'];
const cards = ['test/store/cards', 'test/store/intake/reported-attempts.test.ts'];

/** Bugs in the statements by which reports become payments, and cards get their histories. */
export const intakeMutants: readonly SqlMutant[] = [
  ...mutantsOf('start_recovery', intake, {
    'and t.success)': 'and false)',
    'where c.merchant_id = p.merchant_id and c.invoice_id = p.invoice_id)': 'where false)',
    'where c.merchant_id = p.merchant_id and c.invoice_id': 'where c.invoice_id',
    "p.state = 'scheduled' and": '',
    'and p.due_action is null': '',
    'and p.frozen_at is null': '',
    'and not (exists (\n      select from disputes':
      'and (true or exists (\n      select from disputes',
  }),
  ...mutantsOf('find_ended_elsewhere', intake, {
    'where paid or closed_because is not null or disputed':
      'where paid or closed_because is not null',
    'paid or closed_because is not null': 'paid',
    'where paid or': 'where',
    "and p.state in ('scheduled', 'attempting')": '',
    'coalesce(n.joined_to, n.invoice_id)': 'n.invoice_id',
  }),
  ...mutantsOf('add_reported_attempts', cards, {
    'set version = k.version + 1': 'set version = k.version',
    'where t.merchant_id = i.merchant_id and t.psp_transaction_id = i.psp_transaction_id)':
      'where false)',
    "'expected', i.network": "'avoided', i.network",
    'on conflict (merchant_id, charge_ref) do nothing':
      'on conflict (merchant_id, charge_ref) do update set at = excluded.at',
  }),
  ...mutantsOf('add_seen_methods', intake, {
    'coalesce(excluded.psp_customer_id, payment_methods.psp_customer_id)':
      'excluded.psp_customer_id',
  }),
  ...mutantsOf('apply_method_updates', intake, {
    "excluded.state = 'active' and payment_methods.state = 'active'": "excluded.state = 'active'",
    'where coalesce(payment_methods.last_sequence, 0) < excluded.last_sequence': '',
    'revision = p.revision + 1': 'revision = p.revision',
    "case when p.state = 'scheduled' then 'plan' else p.due_action end": "'plan'",
    'coalesce(excluded.customer_id, payment_methods.customer_id)': 'excluded.customer_id',
    "case when reason = 'user_removed' then 'removed' else 'active' end": "'active'",
    "case when p.state = 'scheduled' and p.frozen_at is null then $2": 'case when true then $2',
  }),
  ...mutantsOf('find_foreign_attempts', intake, {
    'p.foreign_warned_at is null': 'true',
    'where not success)': ')',
  }),
  ...mutantsOf('append_reports', debts, {
    'cross join held where held.holds': '',
    'and not d.spent': '',
    'on conflict (merchant_id, uuid) do nothing': '',
  }),
  ...mutantsOf('finish_requests', intake, {
    "and r.state = 'accepted'": '',
    'body = null': 'body = r.body',
  }),
  ...mutantsOf('read_cards', cards, {
    "interval '32 days'": "interval '3 days'",
    'or a.hard_decline and not exists': 'or false and not exists',
    "and b.outcome = 'approved' and b.at > a.at": 'and b.at > a.at',
    'order by a.at desc, a.charge_ref': 'order by a.at, a.charge_ref',
  }),
  ...mutantsOf('learn_cards', cards, {
    'do update set version = c.version + 1': 'do nothing',
    'coalesce(h.form, m.credential_form)': 'm.credential_form',
    'h.is_replaced and a.card_key = h.method_key': 'false',
    'case when not b.is_moved then a.card_turn end': 'a.card_turn',
    'case when b.is_first_form then b.form else a.credential end': 'a.credential',
    'm.fingerprint_at is null or m.fingerprint_at <= i.at': 'true',
  }),
  ...mutantsOf('name_charged_card', cards, {
    'm.fingerprint <> $4': 'false',
    'set card_key = $5, card_turn = null': 'set card_turn = null',
  }),
];
