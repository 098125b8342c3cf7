/** What acts begin with, in words. */
export const actKinds: Readonly<Record<string, string>> = {
  alerts: 'alerts',
  analytics: 'analytics records',
  charge: 'charge',
  clock: 'clock',
  credential: 'credential',
  customer: 'customer',
  deliveries: 'webhooks',
  delivery: 'webhook',
  dispute: 'dispute',
  endpoint: 'endpoint',
  incident: 'incident',
  invariants: 'ledger checks',
  keys: 'encryption keys',
  list: 'list',
  merchant: 'merchant',
  messages: 'messages',
  model: 'model',
  operator: 'operator',
  payment: 'payment',
  payments: 'payments',
  portal: 'portal',
  psp: 'processor',
  reconciliation: 'comparison with the processor',
  restore_check: 'check of a restored backup',
  sandbox: 'sandbox',
  set_aside: 'set aside',
  what_if: 'backtest',
};

/** Acts that their two parts do not say well. */
const acts: Readonly<Record<string, string>> = {
  'charge.settled': 'charge of unknown outcome settled',
  'delivery.replayed': 'webhook sent again',
  'deliveries.replayed': 'webhooks sent again',
  'incident.moved': 'incident decided',
  'invariants.check_begun': 'ledger checks begun',
  'merchant.learned_share': 'share of the learned policy changed',
  'merchant.segment_learned_share': 'share of the learned policy changed, by product',
  'messages.allowed': 'address allowed messages again',
  'messages.suppressed': 'address kept from messages',
  'messages.tested': 'message sent as a test',
  'payments.bulk': 'many payments changed',
  'set_aside.retried': 'set-aside work retried',
};

/** An act such as `merchant.changed` in words: `Merchant changed`. */
export function actText(action: string): string {
  const [kind = '', deed = ''] = action.split('.');
  return capital(acts[action] ?? `${actKinds[kind] ?? wordsOf(kind)} ${wordsOf(deed)}`.trim());
}

/** What acts begin with, such as `psp.`, as the filter says it: `Processor`. */
export function actKindText(prefix: string): string {
  const kind = prefix.replace('.', '');
  return capital(actKinds[kind] ?? wordsOf(kind));
}

const tokens: Readonly<Record<string, string>> = {
  id: 'ID',
  ids: 'IDs',
  ip: 'IP',
  url: 'URL',
  psp: 'processor',
  psps: 'processors',
  auth: 'authentication',
};

/** Ends of names that say how a value is kept, which the value's text says by itself. */
const units = /_(ms|at)$/;

/** A name of the record, such as `windowDays` or `retry_status_url`, in words. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(units, '')
    .split('_')
    .map((token) => tokens[token] ?? token)
    .join(' ');
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
