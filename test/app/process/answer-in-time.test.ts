import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerInTime } from '../../../src/app/process/answer-in-time.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Questions that are answered when the test says so. */
function asker() {
  const questions: PromiseWithResolvers<string>[] = [];
  const ask = answerInTime(
    () => {
      const question = Promise.withResolvers<string>();
      questions.push(question);
      return question.promise;
    },
    { maxMs: 8, renewMs: 10, elapsedMs: () => Date.now(), late: () => 'late' },
  );
  return { ask, questions };
}

test('an answer that comes in time is given as it is, and so is a failure', async () => {
  const { ask, questions } = asker();
  const first = ask();
  questions[0]?.resolve('here');
  expect(await first).toBe('here');
  const second = ask();
  questions[1]?.reject(new Error('broken'));
  await expect(second).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever asks while nothing is answered waits no longer, and asks nothing more for a while', async () => {
  const { ask, questions } = asker();
  const first = ask();
  await vi.advanceTimersByTimeAsync(5);
  const second = ask();
  await vi.advanceTimersByTimeAsync(3);
  expect(await first).toBe('late');
  expect(questions).toHaveLength(1);
  questions[0]?.resolve('after all');
  expect(await second).toBe('after all');
});

test('after a while without an answer another question is asked', async () => {
  const { ask, questions } = asker();
  const first = ask();
  await vi.advanceTimersByTimeAsync(10);
  expect(await first).toBe('late');
  const second = ask();
  expect(questions).toHaveLength(2);
  questions[1]?.resolve('back');
  expect(await second).toBe('back');
  questions[0]?.reject(new Error('given up'));
  await vi.advanceTimersByTimeAsync(1);
});
