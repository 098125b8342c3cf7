import { type AlertKindFacts, alertKinds } from '../../domain/alerts/alert-kinds.ts';
import { minuteMs } from '../../domain/clock.ts';
import { channelFailingKey } from './alert.ts';
import type {
  AlertDecision,
  AlertItem,
  AlertRoute,
  AlertSilence,
  AlertState,
  Notice,
  ToldAlert,
  WatchedAlerts,
} from './alert-ports.ts';

/** What is gone so long has ended: an alert that comes and goes is one, and tells nobody each time. */
export const endsAfterMs = 3 * minuteMs;
/** What grew is told again no sooner than this after it was told last. */
export const growthRestMs = 15 * minuteMs;

/**
 * Who is told what after a look. Pure: `seen` is all that is there now, `known` how things stood, `at` the
 * database's time.
 *
 * A channel is told of an alert once it has lasted as long as its kind asks, again after the route's
 * time, when it grew, and when it has ended. A silence keeps all of these back; what it kept back is told
 * when it ends, if it is still so.
 */
export function decideAlerts(
  known: WatchedAlerts,
  { seen, at }: { readonly seen: readonly ToldAlert[]; readonly at: Date },
): AlertDecision {
  const states = statesOf(known.states, seen, at);
  const ended = new Set(
    states.filter(({ goneAt }) => goneAt !== undefined && isOld(goneAt, at)).map(({ key }) => key),
  );
  const telling = known.channels
    .filter(({ isPaused }) => !isPaused)
    .map(({ channelId }) => tellChannel(channelId, { known, states, ended, at }));
  return {
    states: states.filter(({ key }) => !ended.has(key)),
    ended: [...ended],
    notices: telling.flatMap(({ notices }) => notices),
    messages: telling
      .filter(({ items }) => items.length > 0)
      .map(({ channelId, items }) => ({ channelId, items })),
  };
}

function isOld(goneAt: Date, at: Date): boolean {
  return at.getTime() - goneAt.getTime() >= endsAfterMs;
}

/** What is there, and what was there until lately. */
function statesOf(
  before: readonly AlertState[],
  seen: readonly ToldAlert[],
  at: Date,
): readonly AlertState[] {
  const earlier = new Map(before.map((state) => [state.key, state]));
  const present = seen.map(
    (alert): AlertState => ({
      ...alert,
      firstSeenAt: earlier.get(alert.key)?.firstSeenAt ?? at,
    }),
  );
  const keys = new Set(present.map(({ key }) => key));
  const gone = before
    .filter(({ key }) => !keys.has(key))
    .map((state) => ({ ...state, goneAt: state.goneAt ?? at }));
  return [...present, ...gone];
}

interface Telling {
  readonly channelId: string;
  readonly items: readonly AlertItem[];
  readonly notices: readonly Notice[];
}

function tellChannel(
  channelId: string,
  input: {
    readonly known: WatchedAlerts;
    readonly states: readonly AlertState[];
    readonly ended: ReadonlySet<string>;
    readonly at: Date;
  },
): Telling {
  const { known, states, ended, at } = input;
  const routes = known.routes.filter((route) => route.channelId === channelId);
  const told = new Map(
    known.notices
      .filter((notice) => notice.channelId === channelId)
      .map((each) => [each.key, each]),
  );
  const items: AlertItem[] = [];
  const notices: Notice[] = [];
  for (const alert of states) {
    // The others are told: to itself it would arrive once it is wrong.
    if (alert.key === channelFailingKey(channelId)) continue;
    const fitting = routes.filter((route) => fits(route, alert));
    if (fitting.length === 0 || isSilenced(known.silences, alert, at)) continue;
    const notice = told.get(alert.key);
    if (ended.has(alert.key)) {
      const isWanted = fitting.some(({ tellsResolved }) => tellsResolved);
      if (notice !== undefined && isWanted) items.push(itemOf(alert, 'resolved'));
    } else if (alert.goneAt === undefined && isDue(alert, { notice, fitting, at })) {
      items.push(itemOf(alert, 'firing'));
      notices.push({ key: alert.key, channelId, toldAt: at, toldCount: alert.count });
    }
  }
  return { channelId, items, notices };
}

function isDue(
  alert: AlertState,
  asked: {
    readonly notice: Notice | undefined;
    readonly fitting: readonly AlertRoute[];
    readonly at: Date;
  },
): boolean {
  const { notice, fitting, at } = asked;
  const facts: AlertKindFacts = alertKinds[alert.kind];
  if (notice === undefined) return at.getTime() - alert.firstSeenAt.getTime() >= facts.graceMs;
  const restedMs = at.getTime() - notice.toldAt.getTime();
  const repeatMs = Math.min(...fitting.map((route) => route.repeatMs));
  if (restedMs >= repeatMs) return true;
  return facts.tellsMore && alert.count > notice.toldCount && restedMs >= growthRestMs;
}

/** Whether a route is for such an alert. */
export function fits(
  { severities, kinds, merchants }: AlertRoute,
  { kind, merchantId }: Pick<ToldAlert, 'kind' | 'merchantId'>,
): boolean {
  if (severities?.includes(alertKinds[kind].severity) === false) return false;
  if (kinds?.includes(kind) === false) return false;
  return merchants === undefined || (merchantId !== undefined && merchants.includes(merchantId));
}

/** Whether nobody is to be told of such an alert now. */
export function isSilenced(
  silences: readonly AlertSilence[],
  alert: Pick<ToldAlert, 'kind' | 'merchantId'>,
  at: Date,
): boolean {
  return silences.some(
    ({ kind, merchantId, createdAt, endsAt }) =>
      createdAt <= at &&
      at < endsAt &&
      (kind === undefined || kind === alert.kind) &&
      (merchantId === undefined || merchantId === alert.merchantId),
  );
}

function itemOf(
  { firstSeenAt: _first, goneAt: _gone, ...told }: AlertState,
  state: AlertItem['state'],
): AlertItem {
  return { ...told, state };
}
