import { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { exchangeOnce, type Keep } from '../../../src/merchant/outbound/exchange-once.ts';

/** A library that does nothing by itself. */
class HeldDispatcher extends Dispatcher {
  handler: Dispatcher.DispatchHandler = {};
  readonly abortedBy: Error[] = [];
  readonly controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => {
      this.abortedBy.push(reason);
      this.handler.onResponseError?.(this.controller, reason);
    },
    pause: () => undefined,
    resume: () => undefined,
  };

  override dispatch(_options: unknown, handler: Dispatcher.DispatchHandler): boolean {
    this.handler = handler;
    return true;
  }

  starts(): void {
    this.handler.onRequestStart?.(this.controller, {});
  }
  answers(status: number, ...chunks: readonly string[]): void {
    this.handler.onResponseStart?.(this.controller, status, {}, '');
    for (const chunk of chunks) {
      this.handler.onResponseData?.(this.controller, Buffer.from(chunk));
    }
  }
  ends(): void {
    this.handler.onResponseEnd?.(this.controller, {});
  }
}

function exchange(keep: Keep) {
  const dispatcher = new HeldDispatcher();
  const options = { origin: 'http://merchant.example', path: '/', method: 'POST' } as const;
  return { dispatcher, ...exchangeOnce(dispatcher, options, keep) };
}
const beginning: Keep = () => ({ bytes: 5, needsAll: false });
const whole: Keep = () => ({ bytes: Number.POSITIVE_INFINITY, needsAll: true });
const textOf = async (answer: Promise<{ readonly body: Uint8Array }>) =>
  Buffer.from((await answer).body).toString('utf8');
const late = new Error('too late');

it('an exchange that is given up while it waits for a connection is never sent', async () => {
  const { dispatcher, answer, cut } = exchange(whole);
  cut(late);
  await expect(answer).rejects.toBe(late);
  dispatcher.starts();
  expect(dispatcher.abortedBy).toEqual([late]);
});

it('an exchange that is given up under way closes its connection', async () => {
  const { dispatcher, answer, cut } = exchange(whole);
  dispatcher.starts();
  dispatcher.answers(200, 'half');
  cut(late);
  await expect(answer).rejects.toBe(late);
  expect(dispatcher.abortedBy).toEqual([late]);
});

it('keeps no more of an answer than is wanted, and reads it to its end', async () => {
  const { dispatcher, answer } = exchange(beginning);
  dispatcher.starts();
  dispatcher.answers(103);
  dispatcher.answers(500, 'out', ' of order', '!');
  dispatcher.ends();
  expect(await answer).toMatchObject({ status: 500 });
  expect(await textOf(answer)).toBe('out o');
});

it('an answer that breaks off is what came of it, where its head is enough', async () => {
  const { dispatcher, answer, cut } = exchange(beginning);
  dispatcher.starts();
  dispatcher.answers(500, 'out');
  cut(late);
  expect(await textOf(answer)).toBe('out');
});

it('an answer that is refused by its head closes its connection', async () => {
  const { dispatcher, answer } = exchange(() => late);
  dispatcher.starts();
  dispatcher.answers(200, 'zipped');
  await expect(answer).rejects.toBe(late);
  expect(dispatcher.abortedBy).toEqual([late]);
});
