import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createSendAlerts } from '../../../src/alerts/send-alerts.ts';
import { createMailer } from '../../../src/alerts/send-email.ts';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import type { Alert } from '../../../src/recovery/alerts/alert.ts';
import { createAlertsApi } from '../../../src/recovery/alerts/alerts-api.ts';
import { watchAlerts } from '../../../src/recovery/alerts/watch-alerts.ts';
import { createAlertSettingsStore } from '../../../src/store/alerts/alert-settings-store.ts';
import { createAlertWatchStore } from '../../../src/store/alerts/alert-watch-store.ts';
import { createChannelSealer } from '../../../src/store/alerts/channel-sealer.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createKeyRing } from '../../../src/store/sealing/key-ring.ts';
import { borrowTestDatabase } from '../../kits/borrowed-database.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { startSmtpInbox } from '../../kits/smtp-inbox.ts';
import { openReportDatabase } from '../../store/reports/report-database.ts';

const start = new Date('2026-06-01T10:00:00.000Z');
const random = { bytes: (count: number) => randomBytes(count) };

async function service() {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  const inbox = await startSmtpInbox();
  onTestFinished(() => inbox.close());
  let now = start;
  const machine = { now: () => now };
  // The sandbox's, which was moved.
  const clock = { now: () => addMs(now, 30 * dayMs) };
  const keys = createKeyRing(localKeyProvider({ random }, random.bytes(32)), []);
  const sealer = createChannelSealer({ db, keys, random, clock: machine });
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${inbox.port}`,
    sender: 'alerts@recoup.example.com',
    timeoutMs: 2_000,
  });
  const send = createSendAlerts({
    mailer,
    post: async () => ({ kind: 'failed', detail: 'not asked' }),
    sign: () => ({}),
  });
  const api = createAlertsApi({
    store: createAlertSettingsStore({ db, sealer }),
    clock,
    machine,
    random,
    send,
    checkUrl: async () => ({ kind: 'ok' }),
    hasMail: true,
  });
  let alerts: readonly Alert[] = [];
  /** A process of its own: nothing is shared but the database. */
  const process = () => {
    const watching = { store: createAlertWatchStore({ db, sealer, random }), machine, send };
    return () =>
      watchAlerts({ ...watching, readAlerts: async () => alerts }, { intervalMs: minuteMs });
  };
  return {
    db,
    inbox,
    api,
    process,
    at: (minutes: number) => {
      now = addMs(start, minutes * minuteMs);
    },
    see: (...seen: readonly Alert[]) => {
      alerts = seen;
    },
  };
}

const incident: Alert = {
  kind: 'incidents',
  count: 1,
  at: start,
  merchantId: 'mer_a',
  merchantName: 'Acme',
};
const subjects = (mails: readonly { readonly source: string }[]) =>
  mails.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1]);

it("what is done to alerts has the service's time in the audit log, as all acts", async () => {
  const { api, db } = await service();
  const { channelId } = await api.addAlertChannel({
    name: 'On call',
    target: { kind: 'email', to: ['oncall@example.com'] },
  });
  await api.testAlertChannel(channelId);
  await api.silenceAlerts({ reason: 'a drill', createdBy: 'operator', durationMs: minuteMs });
  const { rows } = await db.pool.query<{ at: Date }>('select at from audit_log');
  expect(rows.map(({ at }) => at)).toEqual(Array(3).fill(addMs(start, 30 * dayMs)));
});

it('one mail says that an alert is there and one that it has ended, whichever processes look and start anew', async () => {
  const { inbox, api, process, at, see } = await service();
  const target = { kind: 'email', to: ['ops@example.com'] } as const;
  const { channelId } = await api.addAlertChannel({ name: 'Ops', target });
  await api.addAlertRoute({ channelId, repeatMs: 24 * 60 * minuteMs, tellsResolved: true });
  see(incident);
  const looks = [process(), process()];
  for (const minute of [0, 1, 2, 3]) {
    at(minute);
    await Promise.all(looks.map((look) => look()));
  }
  at(4);
  await process()();
  expect(subjects(inbox.mails)).toEqual(['Recoup: Alert: Acme: 1 incident']);
  see();
  for (const minute of [6, 9, 12, 15]) {
    at(minute);
    await Promise.all(looks.map((look) => look()));
  }
  expect(subjects(inbox.mails)).toEqual([
    'Recoup: Alert: Acme: 1 incident',
    'Recoup: Resolved: Acme: 1 incident',
  ]);
});

it('a mail that was refused is sent later, and a silence keeps one back until it ends', async () => {
  const { inbox, api, process, at, see } = await service();
  const look = process();
  const target = { kind: 'email', to: ['gone@example.com'] } as const;
  const { channelId } = await api.addAlertChannel({ name: 'Ops', target });
  await api.addAlertRoute({ channelId, repeatMs: 24 * 60 * minuteMs, tellsResolved: true });
  inbox.refuse('gone@example.com');
  see(incident);
  await look();
  expect(inbox.mails).toEqual([]);
  await api.changeAlertChannel(channelId, { target: { kind: 'email', to: ['ops@example.com'] } });
  at(1);
  await look();
  expect(inbox.mails).toMatchObject([{ to: ['ops@example.com'] }]);
  const silence = { kind: 'set_aside', reason: 'known', createdBy: 'op_1' } as const;
  await api.silenceAlerts({ ...silence, durationMs: 10 * minuteMs });
  see(incident, { ...incident, kind: 'set_aside' });
  at(3);
  await look();
  expect(inbox.mails).toHaveLength(1);
  at(12);
  await look();
  expect(subjects(inbox.mails).at(-1)).toContain('set aside');
});

it('a mail that one of several recipients is refused for good comes to the others once', async () => {
  const { inbox, api, process, at, see } = await service();
  const look = process();
  const to = ['ops@example.com', 'gone@example.com'];
  const target = { kind: 'email', to } as const;
  const { channelId } = await api.addAlertChannel({ name: 'Ops', target });
  await api.addAlertRoute({ channelId, repeatMs: 24 * 60 * minuteMs, tellsResolved: true });
  inbox.refuse('gone@example.com');
  see(incident);
  for (const minute of [0, 1, 3, 7, 60]) {
    at(minute);
    await look();
  }
  expect(inbox.mails).toMatchObject([{ to: ['ops@example.com'] }]);
  const channel = await api.changeAlertChannel(channelId, {});
  expect(channel).toMatchObject({ lastError: 'The mail server refused 1 of 2 recipients.' });
  expect(channel).toHaveProperty('failingSince');
});

it('one connection to the database is enough to look', async () => {
  const { connectionString, drop } = await borrowTestDatabase();
  const db = openDatabase(
    { log: { warn() {} } },
    { connectionString, poolSize: 1, placeWaitMs: 50 },
  );
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  const keys = createKeyRing(localKeyProvider({ random }, random.bytes(32)), []);
  const machine = { now: () => start };
  const sealer = createChannelSealer({ db, keys, random, clock: machine });
  const look = () =>
    watchAlerts(
      {
        store: createAlertWatchStore({ db, sealer, random }),
        machine,
        send: async () => ({ kind: 'sent' }),
        readAlerts: () => db.query<Alert>({ name: 'no_alerts', text: 'select 1 where false' }, []),
      },
      { intervalMs: minuteMs },
    );
  expect(await look()).toEqual({ looked: true, tried: 0 });
  expect(await look()).toEqual({ looked: false, tried: 0 });
});

it('a channel that is renamed and paused at once is both', async () => {
  const { api, db } = await service();
  const target = { kind: 'email', to: ['ops@example.com'] } as const;
  const { channelId } = await api.addAlertChannel({ name: 'Ops', target });
  const holder = await db.pool.connect();
  try {
    await holder.query('begin; select true from alert_channels for update');
    const changes = [{ name: 'Night' }, { isPaused: true }];
    const changed = Promise.all(changes.map((change) => api.changeAlertChannel(channelId, change)));
    await untilLockWaits(async (text) => (await db.pool.query(text)).rows, 2);
    await holder.query('commit');
    await changed;
  } finally {
    holder.release();
  }
  expect(await api.changeAlertChannel(channelId, {})).toMatchObject({
    name: 'Night',
    isPaused: true,
  });
});

it('a test is sent at once, is kept and is in the audit log', async () => {
  const { inbox, api, db } = await service();
  const target = { kind: 'email', to: ['ops@example.com'] } as const;
  const { channelId } = await api.addAlertChannel({ name: 'Ops', target });
  expect(await api.testAlertChannel(channelId)).toEqual({ kind: 'sent' });
  expect(subjects(inbox.mails)).toEqual(['Recoup: Test: A test of Ops']);
  const { rows } = await db.pool.query('select action, detail from audit_log order by action');
  expect(rows.map(({ action }) => action)).toEqual([
    'alerts.channel_added',
    'alerts.channel_tested',
  ]);
  expect(JSON.stringify(rows)).not.toContain('ops@example.com');
});
