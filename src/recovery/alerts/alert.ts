import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import type { PausedBy } from '../../domain/webhooks/endpoint-pause.ts';

interface Of<Kind extends AlertKind> {
  readonly kind: Kind;
  /** How many of what its title counts. */
  readonly count: number;
  /**
   * Since when; of disputes the next deadline, of cards when they were counted, of a model when it was
   * made active. The service's time.
   */
  readonly at: Date;
  /** Whose it is, where it is one merchant's. */
  readonly merchantId?: string;
  readonly merchantName?: string;
}

/** What a person should look at. Nothing of a kind: there is no alert of it. */
export type Alert =
  | (Of<'work_held_back' | 'database_refuses' | 'disk_low'> & {
      readonly processId: string;
      readonly message: string;
    })
  /** `needPerson`: those that the PSP is asked about no more. */
  | (Of<'unknown_outcomes'> & { readonly needPerson: number })
  | Of<'endpoint_failing' | 'webhooks_given_up' | 'disputes_due' | 'incidents' | 'set_aside'>
  /** `message`: by whom, `failures` where one of them paused by itself. */
  | (Of<'endpoint_paused'> & { readonly message: PausedBy })
  /** `message`: what the mail server answered last. */
  | (Of<'messages_failing'> & { readonly message: string })
  | (Of<'network_limits'> & { readonly network: string })
  /** `spent`: those of them that have used all. */
  | (Of<'cards_near_limit'> & { readonly network: string; readonly spent: number })
  /** `count`: merchants whose payments it planned; `message`: what was predicted and what happened. */
  | (Of<'model_drifted'> & { readonly modelId: string; readonly message: string })
  /** `message`: what is promised. */
  | (Of<'invariant_broken'> & { readonly invariant: string; readonly message: string })
  | (Of<'channel_failing'> & {
      readonly channelId: string;
      readonly channelName: string;
      readonly message: string;
    });

/** What makes two alerts the same one at two times. */
export function keyOf(alert: Alert): string {
  return [alert.kind, alert.merchantId ?? '', ...subjectOf(alert)].join('/');
}

/** The key of the alert that a channel takes nothing. */
export function channelFailingKey(channelId: string): string {
  return ['channel_failing', '', channelId].join('/');
}

function subjectOf(alert: Alert): readonly string[] {
  switch (alert.kind) {
    case 'work_held_back':
    case 'database_refuses':
    case 'disk_low':
      return [alert.processId];
    case 'network_limits':
    case 'cards_near_limit':
      return [alert.network];
    case 'model_drifted':
      return [alert.modelId];
    case 'invariant_broken':
      return [alert.invariant];
    case 'channel_failing':
      return [alert.channelId];
    case 'unknown_outcomes':
    case 'endpoint_failing':
    case 'endpoint_paused':
    case 'webhooks_given_up':
    case 'messages_failing':
    case 'disputes_due':
    case 'incidents':
    case 'set_aside':
      return [];
  }
}

/** What is counted of each merchant, as one alert of them all. */
const joined: readonly AlertKind[] = ['unknown_outcomes', 'disputes_due', 'incidents', 'set_aside'];

/** One of each kind that is counted, in the place of one for each merchant. */
export function joinMerchants(alerts: readonly Alert[]): readonly Alert[] {
  const sums = new Map<AlertKind, Alert>();
  const others: Alert[] = [];
  for (const alert of alerts) {
    if (!joined.includes(alert.kind)) {
      others.push(alert);
      continue;
    }
    const sum = sums.get(alert.kind);
    sums.set(alert.kind, sum === undefined ? alert : together(sum, alert));
  }
  return [...sums.values(), ...others];
}

function together(sum: Alert, { count, at, ...alert }: Alert): Alert {
  const { merchantId: _id, merchantName: _name, ...rest } = sum;
  const both = { ...rest, count: sum.count + count, at: at < sum.at ? at : sum.at };
  if (both.kind !== 'unknown_outcomes' || alert.kind !== 'unknown_outcomes') return both as Alert;
  return { ...both, needPerson: both.needPerson + alert.needPerson };
}
