import { expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type { SendOutcome } from '../../../src/recovery/alerts/alert-ports.ts';
import { createOutage } from '../../../src/recovery/alerts/tell-outage.ts';

const at = new Date('2026-03-01T12:00:00.000Z');

it.each<[string, number, SendOutcome]>([
  ['once where it was taken', 1, { kind: 'sent' }],
  ['once where all have it who will', 1, { kind: 'failed', detail: '1 of 2', isLast: true }],
  ['each time until it is taken', 3, { kind: 'failed', detail: '503' }],
])('a channel is told of an outage %s', async (_, times, outcome) => {
  let elapsed = 0;
  const sent: string[] = [];
  const outage = createOutage({
    processId: 'pro_1',
    elapsedMs: () => elapsed,
    newMessageId: () => `alm_${sent.length}`,
    send: async (_target, { messageId }) => {
      sent.push(messageId);
      return outcome;
    },
  });
  const of = { channelId: 'alc_a', createdAt: at };
  const target = { kind: 'email', to: ['ops@example.com'] } as const;
  const channel = { ...of, target, name: 'Ops', kind: 'email', hint: '', isPaused: false } as const;
  const route = { ...of, routeId: 'alr_a', repeatMs: 4 * hourMs, tellsResolved: true };
  await outage.isOver({ channels: [channel], routes: [route], silences: [] }, at);
  for (elapsed of [0, 3, 4, 5].map((minutes) => minutes * minuteMs)) {
    await outage.goesOn('It does not answer.', at);
  }
  expect(sent).toHaveLength(times);
});
