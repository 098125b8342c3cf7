import { alertKinds } from '../../domain/alerts/alert-kinds.ts';
import type { Alert } from './alert.ts';
import type {
  AlertItem,
  AlertRoute,
  AlertSilence,
  OpenChannel,
  SendAlerts,
} from './alert-ports.ts';
import { fits, isSilenced } from './decide-alerts.ts';
import { toTold } from './watch-alerts.ts';

/** Where alerts go, as this process read it last. */
export interface Routing {
  readonly channels: readonly OpenChannel[];
  readonly routes: readonly AlertRoute[];
  readonly silences: readonly AlertSilence[];
}

export interface OutageDeps {
  readonly send: SendAlerts;
  readonly elapsedMs: () => number;
  /** Names this process in what it tells. */
  readonly processId: string;
  newMessageId(): string;
}

/**
 * Tells of a database that cannot be asked whom to tell. Each process that sees it tells by itself, with the
 * routing that it read last, once and again after the route's time; and that it is over. It is known in
 * memory alone: a process that starts during the outage has read no routing and tells nobody.
 */
export interface Outage {
  /** The database answered and took a write. */
  isOver(routing: Routing, at: Date): Promise<void>;
  /** It did not. */
  goesOn(message: string, at: Date): Promise<void>;
}

const kind = 'database_refuses';

export function createOutage(deps: OutageDeps): Outage {
  let routing: Routing = { channels: [], routes: [], silences: [] };
  let begun: { readonly atMs: number; readonly at: Date } | undefined;
  let alert: Alert | undefined;
  /** By channel: when it was told last, in milliseconds of `elapsedMs`. */
  const told = new Map<string, number>();

  async function tell(channel: OpenChannel, state: AlertItem['state'], at: Date): Promise<boolean> {
    if (alert === undefined) return false;
    const message = {
      messageId: deps.newMessageId(),
      channelId: channel.channelId,
      items: [{ ...toTold(alert), state }],
      createdAt: at,
    };
    const outcome = await deps.send(channel.target, message);
    return outcome.kind === 'sent' || outcome.isLast === true;
  }

  function routesTo({ channelId, isPaused }: OpenChannel, at: Date): readonly AlertRoute[] {
    if (isPaused || isSilenced(routing.silences, { kind }, at)) return [];
    return routing.routes.filter((route) => route.channelId === channelId && fits(route, { kind }));
  }

  return {
    async isOver(read, at) {
      if (begun !== undefined) {
        begun = undefined;
        for (const channel of routing.channels) {
          const isWanted = routesTo(channel, at).some(({ tellsResolved }) => tellsResolved);
          if (told.has(channel.channelId) && isWanted) await tell(channel, 'resolved', at);
        }
        told.clear();
        alert = undefined;
      }
      routing = read;
    },
    async goesOn(message, at) {
      begun ??= { atMs: deps.elapsedMs(), at };
      const nowMs = deps.elapsedMs();
      if (nowMs - begun.atMs < alertKinds[kind].graceMs) return;
      alert = { kind, count: 1, processId: deps.processId, message, at: begun.at };
      for (const channel of routing.channels) {
        const routes = routesTo(channel, at);
        const repeatMs = Math.min(...routes.map((route) => route.repeatMs));
        const last = told.get(channel.channelId);
        const isDue = routes.length > 0 && (last === undefined || nowMs - last >= repeatMs);
        if (isDue && (await tell(channel, 'firing', at))) told.set(channel.channelId, nowMs);
      }
    },
  };
}
