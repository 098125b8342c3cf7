import { acknowledgements, captures } from './acknowledgements.ts';
import { attempts, backlogged } from './attempts.ts';
import { plan } from './plan.ts';
import { start } from './start.ts';

/** `npm run bench` runs all; `npm run bench -- attempts plan` those that are named. */
const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  acknowledgements,
  captures,
  attempts,
  backlogged,
  plan,
  start,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => benchmarks[name] === undefined);
if (unknown.length > 0) {
  const all = Object.keys(benchmarks).join(', ');
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${all}.\n`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (named.length === 0 || named.includes(name)) await run();
}
