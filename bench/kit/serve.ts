import type { Ask, Calls, Reply } from './child.ts';

/**
 * Answers the parent's calls until it goes away, then closes and ends: no process outlives the
 * run that started it, even where that run was killed.
 */
export function serve(calls: Calls, close: () => Promise<unknown>): void {
  process.on('message', (ask: Ask) => {
    void answer(calls, ask).then((reply) => process.connected && process.send?.(reply));
  });
  process.once('disconnect', () => {
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${words(error)}\n`);
        process.exit(1);
      },
    );
  });
  // The terminal's Ctrl-C and `timeout` reach every process of the group; the parent says when to end.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
}

async function answer(calls: Calls, ask: Ask): Promise<Reply> {
  try {
    const call = calls[ask.name];
    if (call === undefined) throw new Error(`no call ${ask.name}`);
    return { id: ask.id, result: await call(ask.input as never) };
  } catch (error) {
    return { id: ask.id, fault: words(error) };
  }
}

function words(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
