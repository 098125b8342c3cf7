import type { Alert } from './alert.ts';

/** An alert in words, without its times: whoever shows them knows the reader's zone. */
export interface AlertText {
  /** What it is, in a few words that stand alone. */
  readonly title: string;
  /** What else is known of it; no sentence's end. */
  readonly detail: string;
}

/** The words of an alert, the same on the overview and in each message. They hold no personal data. */
export function alertText(alert: Alert): AlertText {
  const { count, merchantName } = alert;
  const whose = merchantName === undefined ? '' : `${merchantName}: `;
  switch (alert.kind) {
    case 'work_held_back':
      return {
        title: 'A process takes no work',
        detail: `${alert.message} It is ${alert.processId}`,
      };
    case 'database_refuses':
      return {
        title: 'The database takes no writes, or does not answer',
        detail: `${alert.message} ${alert.processId} sees it`,
      };
    case 'disk_low':
      return { title: 'The disk is nearly full', detail: alert.message };
    case 'unknown_outcomes':
      return {
        title: `${whose}${counted(count, 'unknown outcome', 'unknown outcomes')}`,
        detail: `charges without an answer; ${alert.needPerson} of them need a person`,
      };
    case 'incidents':
    case 'set_aside':
      return undecidedText(alert.kind, { count, whose });
    case 'endpoint_failing':
      return {
        title: `${whose}the endpoint does not accept webhooks`,
        detail: counted(count, 'delivery waits', 'deliveries wait'),
      };
    case 'endpoint_paused':
      return pausedText(alert, whose);
    case 'webhooks_given_up':
      return {
        title: `${whose}${counted(count, 'webhook was given up', 'webhooks were given up')}`,
        detail: 'not accepted for seven days, and no longer sent automatically',
      };
    case 'messages_failing':
      return {
        title: `${whose}${counted(count, 'message to a customer does', 'messages to customers do')} not go out`,
        detail: alert.message,
      };
    case 'disputes_due':
      return {
        title: `${whose}${counted(count, 'dispute is due', 'disputes are due')}`,
        detail: 'to be answered within seven days',
      };
    case 'cards_near_limit':
      return nearLimitText(alert);
    case 'network_limits':
      return {
        title: `${networkName(alert.network)}: at a limit`,
        detail: `${counted(count, 'charge was', 'charges were')} refused by its rules`,
      };
    case 'model_drifted':
      return {
        title: `${merchantName ?? counted(count, 'merchant', 'merchants')}: fixed schedules are used, the model is off`,
        detail: alert.message,
      };
    case 'invariant_broken':
      return {
        title: `Ledger check fails: ${alert.message.replace(/\.$/, '')}`,
        detail: `${counted(count, 'breach', 'breaches')}; the check is ${alert.invariant}`,
      };
    case 'channel_failing':
      return { title: `Alerts do not reach ${alert.channelName}`, detail: alert.message };
  }
}

function undecidedText(
  kind: 'incidents' | 'set_aside',
  { count, whose }: { readonly count: number; readonly whose: string },
): AlertText {
  return kind === 'incidents'
    ? {
        title: `${whose}${counted(count, 'incident', 'incidents')}`,
        detail: 'the processor’s record differs from ours; the invoices are frozen',
      }
    : {
        title: `${whose}${counted(count, 'failed job is set aside', 'failed jobs are set aside')}`,
        detail: 'not run again until retried by hand',
      };
}

function pausedText(
  { count, message }: Extract<Alert, { readonly kind: 'endpoint_paused' }>,
  whose: string,
): AlertText {
  const by = message === 'failures' ? 'after days of failures' : 'by an operator';
  return {
    title: `${whose}${counted(count, 'endpoint is paused', 'endpoints are paused')}`,
    detail: `${by}; its events are kept until it is resumed`,
  };
}

function nearLimitText({
  network,
  count,
  spent,
}: Extract<Alert, { readonly kind: 'cards_near_limit' }>): AlertText {
  const left = spent === 0 ? 'all have some left' : `${spent} of them may not be tried now`;
  return {
    title: `${networkName(network)}: ${counted(count, 'card is', 'cards are')} near its limit`,
    detail: `half or more of what it allows in 30 days is used; ${left}`,
  };
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function networkName(network: string): string {
  return networkNames[network] ?? network;
}

const networkNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
};
