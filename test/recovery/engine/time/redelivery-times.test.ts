import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, hourMs, minuteMs, secondMs } from '../../../../src/domain/clock.ts';
import { missedMs, nextSendAt } from '../../../../src/recovery/engine/time/redelivery-times.ts';

const start = new Date('2026-03-01T12:00:00Z');
const after = (ms: number) => addMs(start, ms);

/** The mark after a send that began so long after the window's start, and took so long. */
function following(sinceMs: number, quickSends = false, tookMs = 40): number | undefined {
  const sentAt = after(sinceMs);
  const endedAt = addMs(sentAt, tookMs);
  const next = nextSendAt({ windowStartedAt: start, sentAt, endedAt, quickSends });
  return next && next.getTime() - start.getTime();
}

describe('the next send', () => {
  it('is at the next of the 12-hour marks, however late a send was', () => {
    expect(following(0)).toBe(12 * hourMs);
    expect(following(hourMs)).toBe(12 * hourMs);
    expect(following(12 * hourMs + 5)).toBe(24 * hourMs);
    expect(following(25 * hourMs)).toBe(36 * hourMs);
  });

  it('is the last one 7 days after the first send', () => {
    for (const quickSends of [false, true]) {
      expect(following(167 * hourMs, quickSends)).toBe(168 * hourMs);
      expect(following(168 * hourMs, quickSends)).toBeUndefined();
      expect(following(500 * hourMs, quickSends)).toBeUndefined();
    }
  });

  it('with quick sends is at each of their marks before the first of the 12-hour ones', () => {
    const marks: (number | undefined)[] = [0];
    for (let index = 0; index < 5; index += 1) marks.push(following(marks.at(-1) ?? 0, true));
    const waits = marks.slice(1).map((mark, index) => (mark ?? 0) - (marks[index] ?? 0));
    expect(waits.slice(0, 4)).toEqual([5 * secondMs, minuteMs, 10 * minuteMs, hourMs]);
    expect(marks.at(-1)).toBe(12 * hourMs);
  });

  it('leaves out the quick marks that passed while the server hung', () => {
    expect(following(0, true, 30 * secondMs)).toBe(65 * secondMs);
    expect(following(0, true, 2 * hourMs)).toBe(12 * hourMs);
  });
});

const ms = (max: number) => fc.integer({ min: 0, max });
/** How late each send is, in the order of sends: mostly a little, sometimes by weeks. */
const delays = fc.array(
  fc.oneof({ weight: 5, arbitrary: ms(4 * secondMs) }, ms(12 * hourMs - 1), ms(30 * 24 * hourMs)),
  { minLength: 1, maxLength: 30 },
);

describe('however late sends are, and however long they take', () => {
  it('an endpoint that takes nothing has its 15 sends, over seven days at least', () => {
    fc.assert(
      fc.property(delays, ms(60 * secondMs), fc.boolean(), (lateMs, tookMs, quickSends) => {
        const sends = allSends(lateMs, tookMs, quickSends);
        expect(sends.length).toBeGreaterThanOrEqual(15);
        expect(sends.length).toBeLessThan(most);
        const [first, last] = [sends[0]?.getTime() ?? 0, sends.at(-1)?.getTime() ?? 0];
        expect(last - first).toBeGreaterThanOrEqual(168 * hourMs);
      }),
    );
  });

  it('quick sends never move a 12-hour mark, also where the clock went back', () => {
    const since = fc.integer({ min: -48 * hourMs, max: 200 * hourMs });
    fc.assert(
      fc.property(since, ms(60 * secondMs), (sinceMs, tookMs) => {
        const [plain, quick] = [
          following(sinceMs, false, tookMs),
          following(sinceMs, true, tookMs),
        ];
        if (quick === plain) return;
        expect(quick).toBeGreaterThan(Math.max(sinceMs, 0));
        expect(quick).toBeLessThan(12 * hourMs);
      }),
    );
  });
});

const most = 200;

/** Of one event, none of which is acknowledged. */
function allSends(lateMs: readonly number[], tookMs: number, quickSends: boolean): Date[] {
  const sends: Date[] = [];
  let windowStartedAt: Date | undefined;
  let dueAt: Date | undefined = start;
  while (dueAt !== undefined && sends.length < most) {
    const sentAt: Date = addMs(dueAt, lateMs[sends.length % lateMs.length] ?? 0);
    windowStartedAt =
      windowStartedAt === undefined ? sentAt : addMs(windowStartedAt, missedMs(dueAt, sentAt));
    const next = nextSendAt({
      windowStartedAt,
      sentAt,
      endedAt: addMs(sentAt, tookMs),
      quickSends,
    });
    if (next !== undefined) expect(next.getTime()).toBeGreaterThan(sentAt.getTime());
    sends.push(sentAt);
    dueAt = next;
  }
  return sends;
}
