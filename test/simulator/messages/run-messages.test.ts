import { describe, expect, test } from 'vitest';
import { defaultMessageSettings } from '../../../src/domain/messages/message-settings.ts';
import { runMessages } from '../../../src/simulator/messages/run-messages.ts';
import { parameters } from '../../../src/simulator/parameters.ts';
import { noRetries } from '../../../src/simulator/policies/simple-policies.ts';

const input = {
  seed: 3,
  failures: 8_000,
  days: 28,
  policy: noRetries,
  settings: { ...defaultMessageSettings, holdoutShare: 0.3 },
};
const share = (of: readonly boolean[]) => of.filter(Boolean).length / of.length;

describe('messages in the simulated world', () => {
  const played = runMessages(input);

  test('go to nobody of the holdout, and to no payment more often than is set', () => {
    expect(played.length).toBeGreaterThan(500);
    const held = played.filter(({ arm }) => arm === 'holdout');
    expect(held.length / played.length).toBeCloseTo(0.3, 1);
    expect(held.every((each) => each.messages === 0)).toBe(true);
    expect(held.every((each) => each.isRecovered === each.isRecoveredUntold)).toBe(true);
    expect(Math.max(...played.map(({ messages }) => messages))).toBe(3);
  });

  test('recover more, and the same run gives the same', () => {
    const told = share(played.map(({ isRecoveredTold }) => isRecoveredTold));
    const untold = share(played.map(({ isRecoveredUntold }) => isRecoveredUntold));
    expect(told - untold).toBeGreaterThan(0.03);
    expect(runMessages(input)).toEqual(played);
  });

  test('that nobody opens change nothing', () => {
    const messages = {
      ...parameters.messages,
      openedFirstShare: 0,
      openedSecondShare: 0,
      openedFurtherShare: 0,
      cancelShare: 0,
    };
    const unread = runMessages({ ...input, parameters: { ...parameters, messages } });
    expect(unread.every((each) => each.isRecoveredTold === each.isRecoveredUntold)).toBe(true);
  });

  test('that make everybody cancel recover nobody who was written to', () => {
    const messages = { ...parameters.messages, cancelShare: 1 };
    const all = runMessages({ ...input, parameters: { ...parameters, messages } });
    const reached = all.filter((each) => each.messages > 0);
    expect(reached.length).toBeGreaterThan(100);
    expect(reached.some((each) => each.isRecovered)).toBe(false);
  });
});
