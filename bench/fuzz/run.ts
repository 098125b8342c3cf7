import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { operationsOf } from '../../test/kits/open-api.ts';
import { type Program, startProgram } from '../../test/kits/program.ts';
import { seeded } from '../../test/kits/seeded.ts';
import { type FuzzedApi, fuzzApi } from './fuzz-api.ts';
import { createRemembered } from './remembered.ts';

/**
 * Strange requests to a whole sandbox, made from the documents that it serves and from what it answers.
 * Ends with 1 where an answer is a failure or is in no document, and says how memory went.
 *
 *   npm run fuzz -- --requests 50000 --seed 1
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
  },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
if (!(requests >= 1) || !Number.isSafeInteger(seed)) {
  process.stderr.write('npm run fuzz -- [--requests <count>] [--seed <whole number>]\n');
  process.exit(2);
}

/** How the requests are shared out: the operator's API has most operations. */
const shares = { recovery: 0.3, disputes: 0.2, operator: 0.5 } as const;
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const operatorToken = 'the-token-of-the-fuzz';

const dataDir = await mkdtemp(join(tmpdir(), 'recoup-fuzz-'));
const toldHeap = ['--expose-gc', `--import=${new URL('tell-heap.ts', import.meta.url).href}`];
const service = startProgram('node', [...toldHeap, 'src/main.ts'], {
  DATA_DIR: dataDir,
  OPERATOR_TOKEN: operatorToken,
  DASHBOARD: 'false',
  LOG_LEVEL: 'error',
  PSP_TIMEOUT: '1s',
  ATTEMPT_LEASE: '60s',
  ...ports('RECOVERY_PORT', 'DISPUTES_PORT', 'OPERATOR_PORT'),
  ...ports('DEMO_MERCHANT_PORT', 'SANDBOX_PSP_PORT'),
  ...wide('RECOVERY', 'DISPUTES', 'READ', 'OPERATOR', 'STRANGER'),
});
try {
  const banner = await service.until(({ stdout }) => /\/v1\/analytics\//.exec(stdout)?.input);
  const faults = await fuzz(service, banner);
  for (const [fault, count] of faults) tell(`${count} x ${fault}`);
  tell(
    faults.size === 0 ? 'Every answer is documented, and none is a failure.' : 'There are faults.',
  );
  process.exitCode = faults.size === 0 ? 0 : 1;
} finally {
  process.stderr.write(service.output().stderr);
  service.signal('SIGTERM');
  await service.end(60_000);
  await rm(dataDir, { recursive: true, force: true });
}

async function fuzz(program: Program, banner: string): Promise<ReadonlyMap<string, number>> {
  const entry = (name: string) => new RegExp(`^ {2}${name}: +(\\S+)$`, 'm').exec(banner)?.[1] ?? '';
  const basic = Buffer.from(`${entry('Merchant')}:${entry('Disputes pass')}`).toString('base64');
  const urls = {
    recovery: entry('Recovery API'),
    disputes: entry('Disputes API'),
    operator: entry('Operator API'),
  };
  const credentials = {
    recovery: { 'x-api-key': entry('API key') },
    disputes: { authorization: `Basic ${basic}` },
    operator: { authorization: `Bearer ${operatorToken}` },
  };
  const faults = new Map<string, number>();
  const remembered = createRemembered();
  const agent = new Agent({ keepAlive: true });
  const apis: FuzzedApi[] = [];
  for (const [at, name] of (['recovery', 'disputes', 'operator'] as const).entries()) {
    const document = await fetch(`${urls[name]}/docs/openapi.json`);
    apis.push({
      name,
      url: urls[name],
      agent,
      operations: operationsOf({ ...((await document.json()) as object), webhooks: {} }),
      credentials: credentials[name],
      remembered,
      random: seeded(seed * 3 + at),
      spared: entry('Merchant'),
      faults,
    });
  }
  const parts = 10;
  tell(`0 %: ${await memory(program, 0)}`);
  for (let part = 1; part <= parts; part += 1) {
    const counts = await Promise.all(
      apis.map((api) => fuzzApi(api, Math.ceil((requests * shares[api.name]) / parts))),
    );
    const sent = apis.map(({ name }, at) => `${name} ${JSON.stringify(counts[at])}`).join(', ');
    tell(`${part * 10} %: ${await memory(program, part)}; ${sent}`);
  }
  agent.destroy();
  return faults;
}

/** What its heap holds without garbage, and what of the machine's memory it has then. */
async function memory(program: Program, before: number): Promise<string> {
  program.signal('SIGUSR2');
  const line = new RegExp(`^heap ${before + 1}: (.+)$`, 'm');
  const heap = await program.until(({ stderr }) => line.exec(stderr)?.[1]);
  return `heap ${heap}, resident ${residentMiB(program.pid)} MiB`;
}

function residentMiB(pid: number): number {
  const text = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Math.round(Number(text) / 1024);
}

function ports(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '0']));
}

/** Limits that the fuzz does not meet: what they refuse is tested elsewhere. */
function wide(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${name}_RATE_LIMIT_PER_MINUTE`, '100000000']));
}
