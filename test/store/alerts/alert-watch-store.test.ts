import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import type {
  AlertDecision,
  AlertSettingsStore,
  AlertWatchStore,
  OpenChannel,
  SentMessage,
  ToldAlert,
  WatchedAlerts,
} from '../../../src/recovery/alerts/alert-ports.ts';
import { decideAlerts } from '../../../src/recovery/alerts/decide-alerts.ts';
import { nextTryAt } from '../../../src/recovery/alerts/watch-alerts.ts';
import { createAlertSettingsStore } from '../../../src/store/alerts/alert-settings-store.ts';
import { createAlertWatchStore } from '../../../src/store/alerts/alert-watch-store.ts';
import { createChannelSealer } from '../../../src/store/alerts/channel-sealer.ts';
import {
  listAlertChannels,
  listAlertStates,
  listFailingChannels,
} from '../../../src/store/alerts/read-alert-page.ts';
import type { Database } from '../../../src/store/database.ts';
import { localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createKeyRing } from '../../../src/store/sealing/key-ring.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openReportDatabase } from '../reports/report-database.ts';

const random = { bytes: (count: number) => randomBytes(count) };
const at = new Date('2026-06-01T10:00:00.000Z');
const later = (minutes: number) => addMs(at, minutes * minuteMs);
const audit = { action: 'alerts.channel_added', detail: {}, at };
const url = 'https://hooks.example.com/services/canary';

const channel: OpenChannel = {
  channelId: 'alc_1',
  name: 'Night',
  kind: 'slack',
  hint: 'hooks.example.com',
  target: { kind: 'slack', url },
  isPaused: false,
  createdAt: at,
};
const seen: readonly ToldAlert[] = [
  { key: 'incidents/mer_a', kind: 'incidents', count: 1, title: 'One', detail: 'two', at },
];
const decide =
  (now: Date) =>
  async (known: WatchedAlerts): Promise<AlertDecision> =>
    decideAlerts(known, { seen, at: now });

let db: Database;
let watch: AlertWatchStore;
let settings: AlertSettingsStore;
beforeAll(async () => {
  db = await openReportDatabase();
  const keys = createKeyRing(localKeyProvider({ random }, random.bytes(32)), []);
  const sealer = createChannelSealer({ db, keys, random, clock: { now: () => at } });
  watch = createAlertWatchStore({ db, sealer, random });
  settings = createAlertSettingsStore({ db, sealer });
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query('delete from alert_channels');
  await db.pool.query('delete from alert_states');
  await db.pool.query('delete from alert_watch');
  await db.pool.query('delete from alert_silences');
  await settings.insertChannel(channel, audit);
  await settings.insertRoute(
    {
      routeId: 'alr_1',
      channelId: 'alc_1',
      repeatMs: 3_600_000,
      tellsResolved: true,
      createdAt: at,
    },
    audit,
  );
});

const ask = async (text: string) => (await db.pool.query(text)).rows;
const look = (now: Date) => watch.look({ at: now, since: addMs(now, -minuteMs) }, decide(now));
const claim = (now: Date) =>
  watch.claimDue({ at: now, leaseUntil: addMs(now, minuteMs), limit: 9 });
const messages = async () => {
  const { rows } = await db.pool.query<
    Pick<SentMessage, 'state' | 'tries' | 'endedAt' | 'lastError'>
  >(
    `select state, tries, ended_at as "endedAt", last_error as "lastError"
     from alert_messages order by created_at desc, message_id desc`,
  );
  return rows;
};

it('of looks at once one counts, and what it told is told by no other and by no later one', async () => {
  const looks = await Promise.all([look(at), look(at), look(at)]);
  expect(looks.filter((looked) => looked)).toHaveLength(1);
  expect(await look(later(0.5))).toBe(false);
  expect(await look(later(2))).toBe(true);
  expect(await messages()).toHaveLength(1);
  expect(await listAlertStates(db, {})).toMatchObject([
    { key: 'incidents/mer_a', firstSeenAt: at },
  ]);
});

it('it is time where nobody looked since, and at once where the clock was set back', async () => {
  const isTime = (now: Date) => watch.isTime({ at: now, since: addMs(now, -minuteMs) });
  expect(await isTime(at)).toBe(true);
  await look(at);
  expect(await isTime(later(0.5))).toBe(false);
  expect(await isTime(later(-0.5))).toBe(false);
  expect([await isTime(later(2)), await isTime(later(-60))]).toEqual([true, true]);
  expect(await look(later(-60))).toBe(true);
  expect(await isTime(later(-60))).toBe(false);
});

it('a look that fails leaves nothing, and the next one tells it', async () => {
  const failing = async () => Promise.reject(new Error('away'));
  await expect(watch.look({ at, since: at }, failing)).rejects.toThrow('away');
  expect(await messages()).toEqual([]);
  expect(await look(at)).toBe(true);
  expect(await messages()).toHaveLength(1);
});

it('a channel that is removed while a look tells it goes after the look, with what it was told', async () => {
  let removing: Promise<boolean> | undefined;
  const told = await watch.look({ at, since: addMs(at, -minuteMs) }, async (known) => {
    removing = settings.removeChannel('alc_1', audit);
    await Promise.race([untilLockWaits(ask), removing]);
    return decideAlerts(known, { seen, at });
  });
  expect([told, await removing]).toEqual([true, true]);
  expect(await messages()).toEqual([]);
});

it('a route and a test of a channel that is removed just then are not added', async () => {
  const remover = await db.pool.connect();
  try {
    await remover.query(`begin; delete from alert_channels where channel_id = 'alc_1'`);
    const route = { channelId: 'alc_1', repeatMs: 3_600_000, tellsResolved: true, createdAt: at };
    const added = settings.insertRoute({ ...route, routeId: 'alr_2' }, audit);
    const test = { messageId: 'alm_1', channelId: 'alc_1', items: [], createdAt: at, endedAt: at };
    const tested = settings.insertTest({ ...test, state: 'sent', tries: 1 }, audit);
    await Promise.race([untilLockWaits(ask, 2), added, tested]);
    await remover.query('commit');
    expect([await added, await tested]).toEqual([false, undefined]);
  } finally {
    remover.release();
  }
  expect(await messages()).toEqual([]);
});

it('a message is claimed by one, by another when the lease has ended, and only the last one records', async () => {
  await look(at);
  const claims = await Promise.all([claim(at), claim(at)]);
  const [first] = claims.flat();
  expect(claims.flat()).toHaveLength(1);
  const [second] = await claim(later(1));
  if (first === undefined || second === undefined) throw new Error('both were claimed');
  expect(second).toMatchObject({ messageId: first.messageId, tries: 2 });
  await watch.recordSend({ message: first, outcome: { kind: 'sent' }, at: later(1) });
  expect(await messages()).toMatchObject([{ state: 'pending' }]);
  await watch.recordSend({ message: second, outcome: { kind: 'sent' }, at: later(1) });
  expect(await messages()).toMatchObject([{ state: 'sent', endedAt: later(1) }]);
  expect(await claim(later(60))).toEqual([]);
});

it('a send that fails is due later, shows on its channel, and is forgotten by one that succeeds', async () => {
  await look(at);
  const [first] = await claim(at);
  if (first === undefined) throw new Error('it was claimed');
  const outcome = { kind: 'failed', detail: 'The server answered 500.' } as const;
  await watch.recordSend({ message: first, outcome, at, nextTryAt: nextTryAt(first, at) });
  expect(await claim(later(0.4))).toEqual([]);
  expect(await listFailingChannels(db)).toMatchObject([
    { channelId: 'alc_1', failingSince: at, lastError: outcome.detail },
  ]);
  const [again] = await claim(later(0.5));
  if (again === undefined) throw new Error('it was claimed');
  await watch.recordSend({ message: again, outcome: { kind: 'sent' }, at: later(1) });
  expect(await listFailingChannels(db)).toEqual([]);
  expect(await listAlertChannels(db)).toMatchObject([{ lastSentAt: later(1) }]);
});

it('is given up after a day, and its channel stays failing', async () => {
  await look(at);
  const [message] = await claim(later(24 * 60));
  if (message === undefined) throw new Error('it was claimed');
  const now = later(24 * 60);
  const outcome = { kind: 'failed', detail: 'no' } as const;
  await watch.recordSend({ message, outcome, at: now, nextTryAt: nextTryAt(message, now) });
  expect(await messages()).toMatchObject([{ state: 'given_up', tries: 1, lastError: 'no' }]);
  expect(await listFailingChannels(db)).toHaveLength(1);
});

it('keeps addresses sealed, in a form that opens in its own channel alone', async () => {
  const { rows } = await db.pool.query('select sealed, hint from alert_channels');
  expect(JSON.stringify(rows)).not.toContain('canary');
  expect(Buffer.from(rows[0].sealed).toString('latin1')).not.toContain('canary');
  expect((await settings.findChannel('alc_1'))?.target).toEqual({ kind: 'slack', url });
  await settings.insertChannel({ ...channel, channelId: 'alc_2' }, audit);
  await db.pool.query(`
    update alert_channels set sealed = (select sealed from alert_channels where channel_id = 'alc_1')
    where channel_id = 'alc_2'`);
  await expect(settings.findChannel('alc_2')).rejects.toMatchObject({
    code: 'encryption_key_wrong',
  });
});

it('a channel that is removed takes its routes and messages along', async () => {
  await look(at);
  expect(await settings.removeChannel('alc_1', audit)).toBe(true);
  expect(await settings.removeChannel('alc_1', audit)).toBe(false);
  expect(await messages()).toEqual([]);
  const { routes } = await watch.readRouting(at);
  expect(routes).toEqual([]);
});

it('a silence that was ended holds nothing back any more', async () => {
  const silence = { silenceId: 'als_1', reason: 'known', createdBy: 'op_1', createdAt: at };
  await settings.insertSilence({ ...silence, endsAt: later(60) }, audit);
  await look(at);
  expect(await messages()).toEqual([]);
  expect(await settings.endSilence('als_1', later(1), audit)).toBe(true);
  expect(await settings.endSilence('als_1', later(1), audit)).toBe(false);
  await look(later(2));
  expect(await messages()).toHaveLength(1);
});
