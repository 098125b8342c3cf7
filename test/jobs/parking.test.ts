import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInFlight } from '../../src/jobs/in-flight.ts';
import { createParking } from '../../src/jobs/parking.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function parkingOf(max = 10) {
  const inFlight = createInFlight();
  const parking = createParking(inFlight, { afterMs: 250, slowAfterMs: 2_000, max }, () => {});
  return {
    ...{ inFlight, parking },
    begin(merchantId: string) {
      inFlight.add([merchantId]);
      const end = parking.begin(merchantId);
      return () => {
        end();
        inFlight.remove([merchantId]);
      };
    },
  };
}

test('an item that waits gives its place back, and stays its merchant’s', () => {
  const { inFlight, begin } = parkingOf();
  const end = begin('mer_1');
  expect(inFlight.total).toBe(1);
  vi.advanceTimersByTime(250);
  expect([inFlight.total, inFlight.all]).toEqual([0, 1]);
  expect(inFlight.merchantsWith(1)).toEqual(['mer_1']);
  end();
  expect([inFlight.total, inFlight.all]).toEqual([0, 0]);
});

test('items of a server that hangs begin without a place, until one is quick', () => {
  const { inFlight, begin } = parkingOf();
  const end = begin('mer_1');
  vi.advanceTimersByTime(2_000);
  end();
  const quick = begin('mer_1');
  expect(inFlight.total).toBe(0);
  quick();
  begin('mer_1');
  expect(inFlight.total).toBe(1);
});

test('where no more can wait, nothing more of slow servers begins', () => {
  const { inFlight, parking, begin } = parkingOf(1);
  begin('mer_1');
  begin('mer_2');
  vi.advanceTimersByTime(2_000);
  expect(inFlight.total).toBe(1);
  expect(parking.leftOut()).toEqual(['mer_1', 'mer_2']);
});
