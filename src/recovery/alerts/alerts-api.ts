import type { AlertKind, AlertSeverity } from '../../domain/alerts/alert-kinds.ts';
import { addMs, type Clock } from '../../domain/clock.ts';
import { AppError, errorRegistry } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { CheckMerchantUrl } from '../admin/ports.ts';
import type {
  AlertChannel,
  AlertMessage,
  AlertRoute,
  AlertSettingsStore,
  AlertSilence,
  ChannelChange,
  ChannelTarget,
  NewChannel,
  NewRoute,
  OpenChannel,
  SendAlerts,
  SendOutcome,
} from './alert-ports.ts';

/** What operators change of alerts. Each change stands in the audit log. */
export interface AlertsApi {
  /** @throws AppError invalid_request for an address that may not be called */
  addAlertChannel(channel: NewChannel): Promise<OpenChannel>;
  changeAlertChannel(channelId: string, change: ChannelChange): Promise<AlertChannel | undefined>;
  removeAlertChannel(channelId: string): Promise<boolean>;
  /** Sends one message now; undefined where there is no such channel. */
  testAlertChannel(channelId: string): Promise<SendOutcome | undefined>;
  /** Undefined where its channel is not there. */
  addAlertRoute(route: NewRoute): Promise<AlertRoute | undefined>;
  removeAlertRoute(routeId: string): Promise<boolean>;
  silenceAlerts(input: {
    readonly kind?: AlertKind;
    readonly merchantId?: string;
    readonly reason: string;
    readonly createdBy: string;
    readonly durationMs: number;
  }): Promise<AlertSilence>;
  endAlertSilence(silenceId: string): Promise<boolean>;
}

interface Deps {
  readonly store: AlertSettingsStore;
  /** The service's time, by which the audit log goes. */
  readonly clock: Clock;
  /** The database's time: alerts are sent by it, wherever the sandbox's is. */
  readonly machine: Clock;
  readonly random: Random;
  readonly send: SendAlerts;
  readonly checkUrl: CheckMerchantUrl;
  /** Whether there is a mail server to send by. */
  readonly hasMail: boolean;
}

export function createAlertsApi(deps: Deps): AlertsApi {
  const { store, clock, machine, random } = deps;
  const entry = (action: string, detail: JsonObject) => ({ action, detail, at: clock.now() });
  return {
    async addAlertChannel({ name, target }) {
      await checkTarget(deps, target);
      const channel: OpenChannel = {
        channelId: newId(random, 'alc'),
        name,
        kind: target.kind,
        hint: hintOf(target),
        target,
        isPaused: false,
        createdAt: machine.now(),
      };
      await store.insertChannel(channel, entry('alerts.channel_added', named(channel)));
      return channel;
    },
    async changeAlertChannel(channelId, change) {
      if ((await store.findChannel(channelId)) === undefined) return undefined;
      if (change.target !== undefined) await checkTarget(deps, change.target);
      return store.changeChannel(channelId, (before) => {
        const channel = changedChannel(before, change);
        const audit = {
          ...entry('alerts.channel_changed', { channel_id: channelId }),
          before: named(before),
          after: named(channel),
        };
        return { channel, audit };
      });
    },
    removeAlertChannel: (channelId) =>
      store.removeChannel(channelId, entry('alerts.channel_removed', { channel_id: channelId })),
    testAlertChannel: (channelId) => testChannel(deps, channelId),
    async addAlertRoute(asked) {
      const route = { ...asked, routeId: newId(random, 'alr'), createdAt: machine.now() };
      const isAdded = await store.insertRoute(
        route,
        entry('alerts.route_added', routeDetail(route)),
      );
      return isAdded ? route : undefined;
    },
    removeAlertRoute: (routeId) =>
      store.removeRoute(routeId, entry('alerts.route_removed', { route_id: routeId })),
    async silenceAlerts({ durationMs, ...asked }) {
      const createdAt = machine.now();
      const endsAt = addMs(createdAt, durationMs);
      const silence = { ...asked, silenceId: newId(random, 'als'), createdAt, endsAt };
      await store.insertSilence(silence, entry('alerts.silenced', silenceDetail(silence)));
      return silence;
    },
    endAlertSilence: (silenceId) =>
      store.endSilence(
        silenceId,
        machine.now(),
        entry('alerts.silence_ended', { silence_id: silenceId }),
      ),
  };
}

/** Another address begins without the failures of the last one. */
function changedChannel(
  before: OpenChannel,
  { name, target, isPaused }: ChannelChange,
): OpenChannel {
  const { failingSince: _since, lastError: _error, ...healthy } = before;
  return {
    ...(target === undefined ? before : healthy),
    ...present({ name, isPaused }),
    ...(target !== undefined && { target, kind: target.kind, hint: hintOf(target) }),
  };
}

async function checkTarget(
  { checkUrl, hasMail }: Pick<Deps, 'checkUrl' | 'hasMail'>,
  target: ChannelTarget,
): Promise<void> {
  if (target.kind === 'email') {
    if (hasMail) return;
    throw new AppError('invalid_request', 'No mail server is set, so no e-mail can be sent.', {
      action:
        'Set SMTP_URL and ALERT_SENDER and restart Recoup, or choose another kind of channel.',
    });
  }
  const check = await checkUrl(target.url);
  if (check.kind === 'refused') {
    const { action } = errorRegistry.merchant_url_refused;
    throw new AppError('invalid_request', `url is refused: ${check.detail}`, { action });
  }
}

/** No recipient and no secret address: a webhook's path is one at Slack. */
function hintOf(target: ChannelTarget): string {
  if (target.kind !== 'email') return new URL(target.url).host;
  const { length } = target.to;
  return length === 1 ? '1 recipient' : `${length} recipients`;
}

function named({ channelId, name, kind, hint, isPaused }: OpenChannel): JsonObject {
  return { channel_id: channelId, name, kind, hint, is_paused: isPaused };
}

function routeDetail(route: AlertRoute): JsonObject {
  return present({
    route_id: route.routeId,
    channel_id: route.channelId,
    severities: list<AlertSeverity>(route.severities),
    kinds: list(route.kinds),
    merchants: list(route.merchants),
    repeat_ms: route.repeatMs,
    tells_resolved: route.tellsResolved,
  });
}

function list<Item extends string>(items: readonly Item[] | undefined): string[] | undefined {
  return items === undefined ? undefined : [...items];
}

function silenceDetail(silence: AlertSilence): JsonObject {
  return present({
    silence_id: silence.silenceId,
    kind: silence.kind,
    merchant_id: silence.merchantId,
    reason: silence.reason,
    ends_at: silence.endsAt.toISOString(),
  });
}

async function testChannel(
  { store, clock, machine, random, send }: Deps,
  channelId: string,
): Promise<SendOutcome | undefined> {
  const channel = await store.findChannel(channelId);
  if (channel === undefined) return undefined;
  const createdAt = machine.now();
  const message: AlertMessage = {
    messageId: newId(random, 'alm'),
    channelId,
    items: [
      {
        key: 'test',
        kind: 'channel_failing',
        state: 'test',
        count: 1,
        title: `A test of ${channel.name}`,
        detail: 'alerts from Recoup arrive here; nothing needs to be done',
        at: createdAt,
      },
    ],
    createdAt,
  };
  const outcome = await send(channel.target, message);
  const endedAt = machine.now();
  const isSent = outcome.kind === 'sent';
  const lastError = outcome.kind === 'failed' ? outcome.detail.slice(0, 500) : undefined;
  const state = isSent ? 'sent' : 'given_up';
  await store.insertTest(
    { ...message, state, tries: 1, endedAt, ...present({ lastError }) },
    {
      action: 'alerts.channel_tested',
      detail: { channel_id: channelId, outcome: outcome.kind },
      at: clock.now(),
    },
  );
  return outcome;
}
