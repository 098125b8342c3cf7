import { simulateWhole } from '../src/cli/whole/simulate-whole.ts';

/** Some minutes; `recoup simulate --whole` plays larger worlds. */
const failures = 2_000;
const days = 60;

/** The whole service in a simulated world for 60 days, learned policy against holdout. */
export async function whole(): Promise<void> {
  const startedAtMs = performance.now();
  const { words } = await simulateWhole({ seed: 1, failures, days });
  const minutes = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
  process.stdout.write(
    `whole: ${failures} failures, ${days} days, in ${minutes} minutes\n${words}\n`,
  );
}
