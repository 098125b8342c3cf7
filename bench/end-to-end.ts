import { simulateEndToEnd } from '../src/cli/end-to-end/simulate-end-to-end.ts';

/** Some minutes; `recoup simulate --end-to-end` plays larger worlds. */
const failures = 2_000;
const days = 60;

/** The whole service in a simulated world for 60 days, learned policy against holdout. */
export async function endToEnd(): Promise<void> {
  const startedAtMs = performance.now();
  const { words } = await simulateEndToEnd({ seed: 1, failures, days });
  const minutes = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
  process.stdout.write(
    `end-to-end: ${failures} failures, ${days} days, in ${minutes} minutes\n${words}\n`,
  );
}
