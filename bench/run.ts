import { acknowledgements, analytics } from './acknowledgements.ts';
import { alone } from './alone.ts';
import { attempts, backlogged, due } from './attempts.ts';
import { backtest } from './backtest.ts';
import { endToEnd } from './end-to-end.ts';
import { exports } from './exports.ts';
import { growth } from './growth.ts';
import { idle } from './idle.ts';
import { matching } from './matching.ts';
import { neighbours } from './neighbours.ts';
import { pages } from './pages.ts';
import { plan } from './plan.ts';
import { balances } from './policy/balances.ts';
import { drift } from './policy/drift.ts';
import { family } from './policy/family.ts';
import { offPolicy } from './policy/off-policy.ts';
import { policy } from './policy/policy.ts';
import { prior } from './policy/prior.ts';
import { training } from './policy/training.ts';
import { wrong } from './policy/wrong.ts';
import { reports } from './reports.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { webhooks } from './webhooks.ts';

/** `npm run bench` runs all; `npm run bench -- attempts plan` those that are named. */
const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  acknowledgements,
  analytics,
  attempts,
  backlogged,
  due,
  alone,
  webhooks,
  idle,
  matching,
  plan,
  start,
  backtest,
  policy,
  training,
};

/** Those that take minutes, or write files of the sources, run only when they are named. */
const makers: Readonly<Record<string, () => Promise<void>>> = {
  balances,
  drift,
  exports,
  family,
  growth,
  neighbours,
  pages,
  prior,
  reports,
  soak,
  'off-policy': offPolicy,
  wrong,
  'end-to-end': endToEnd,
};

/** `balances` is followed by its file, and may be by amounts. */
const valued = ['balances', '--amounts'];
const named = process.argv
  .slice(2)
  .filter((name, at, all) => !name.startsWith('--') && !valued.includes(all[at - 1] ?? ''));
const unknown = named.filter((name) => ({ ...benchmarks, ...makers })[name] === undefined);
if (unknown.length > 0) {
  const all = Object.keys({ ...benchmarks, ...makers }).join(', ');
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${all}.\n`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (named.length === 0 || named.includes(name)) await run();
}
for (const [name, run] of Object.entries(makers)) {
  if (named.includes(name)) await run();
}
