import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, it } from 'vitest';
import { type JobWorld, openJobWorld, signal } from './job-world.ts';

let world: JobWorld;
let child: ChildProcess | undefined;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await world.close();
});

it('a job of a killed process is run again by another once it is silent', async () => {
  const ran = signal();
  const job = (run: () => Promise<void>) => ({ name: 'bulk', onDemand: true as const, run });
  const asking = await world.start([job(async () => undefined)], { work: false, sandbox: false });
  await asking.queue.request('bulk', { input: {}, key: 'x' });
  const script = fileURLToPath(new URL('job-child.ts', import.meta.url));
  child = spawn(process.execPath, [script, world.connectionString, world.jobsSchema], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout !== null) await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await world.start([job(async () => ran.give())], { sandbox: false });
  // pg-boss's own limit would be 15 minutes.
  await ran.given;
}, 180_000);
