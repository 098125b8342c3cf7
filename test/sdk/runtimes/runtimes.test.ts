import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../../kits/program.ts';
import { signedWebhook, webhookSecret } from '../../kits/signed-webhook.ts';
import { startStandIn } from './service-stand-in.ts';

/** The SDK and examples/edge.ts, bundled into one file and served by each runtime that is found. */

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recoup-runtimes-'));
  const entry = join(folder, 'entry.js');
  const [worker, sdk] = [
    `${import.meta.dirname}/worker.ts`,
    `${import.meta.dirname}/../../../sdk/src`,
  ];
  await writeFile(entry, `export { worker as default } from ${JSON.stringify(worker)};\n`);
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    resolve: { alias: [{ find: /^@recoup\/sdk$/, replacement: `${sdk}/index.ts` }] },
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  const node = `import { createServer } from 'node:http';
import worker from './worker.mjs';
import { nodeListener } from ${JSON.stringify(`${sdk}/adapters/node.ts`)};
const server = createServer(nodeListener((request) => worker.fetch(request)));
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;
  await writeFile(join(folder, 'node.mjs'), node);
  await writeFile(join(folder, 'workerd.capnp'), workerdConfig);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = { MERCHANT_API_KEY: 'key-of-the-merchant', RECOUP_SIGNING_SECRET: webhookSecret };
const names = Object.keys(settings);

/** An old one: a worker keeps the behaviour of the day that it names. */
const compatibilityDate = '2024-09-02';
const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.mjs")],
      compatibilityDate = "${compatibilityDate}",
      globalOutbound = "network",
      bindings = [${Object.entries(settings).map(([name, value]) => `(name = "${name}", text = "${value}")`)}]
    )),
    (name = "network", network = (allow = ["local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`;

const deno = ['serve', '--no-config', '--host=127.0.0.1', '--port=0', '--allow-net'];
const runtimes = [
  { command: 'node', args: [], file: 'node.mjs' },
  { command: 'bun', args: ['run'], file: 'worker.mjs' },
  { command: 'deno', args: [...deno, `--allow-env=${names}`], file: 'worker.mjs' },
  { command: 'workerd', args: ['serve', '--control-fd=1'], file: 'workerd.capnp' },
] as const;

const found = await Promise.all(
  runtimes.map(async (runtime) => {
    const isThere = await run(runtime.command, ['--version']).then(
      () => true,
      () => false,
    );
    const name = isThere ? runtime.command : `${runtime.command} (not on this machine: skipped)`;
    return { ...runtime, isThere, name };
  }),
);

/** The address at which a runtime serves, by what it prints once it does. */
async function serve({ command, args, file }: (typeof runtimes)[number]): Promise<string> {
  const program = startProgram(command, [...args, join(folder, file)], { ...settings, PORT: '0' });
  onTestFinished(() => program.abandon());
  const port = await program.until(({ stdout, stderr }) => {
    const printed = /http:\/\/[\w.]+:(\d+)|"port":(\d+)/.exec(`${stdout}\n${stderr}`);
    return printed?.[1] ?? printed?.[2];
  });
  return `http://127.0.0.1:${port}`;
}

describe('the SDK serves a merchant and calls the service in', () => {
  for (const runtime of found) {
    test.skipIf(!runtime.isThere)(runtime.name, async () => {
      const url = await serve(runtime);
      const ask = async (path: string, headers: Record<string, string>, body = '') => {
        const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
        return `${answer.status} ${await answer.text()}`;
      };
      const merchant = { 'x-api-key': settings.MERCHANT_API_KEY };
      expect(await ask('/retry/in_edge', merchant, '{}')).toMatch(/^200 {"retry":true,/);
      expect(await ask('/retry/in_edge', {})).toMatch(/^401 /);
      expect(await ask('/retry/%ff', merchant)).toMatch(/^404 /);

      const data = { invoice_id: 'in_edge', success: true, custom: { name: 'Ünï-発票-🧾' } };
      const webhook = signedWebhook({ data, secrets: [webhookSecret, 'the-next-one'] });
      const send = ({ headers, body }: typeof webhook) =>
        ask('/webhooks/retry-results', { ...headers }, body);
      expect(await send({ ...webhook, body: `${webhook.body} ` })).toMatch(
        /^401 .*wrong_signature/,
      );
      expect(await send(signedWebhook({ sentAtMs: 0 }))).toMatch(/^401 .*expired/);
      expect(await send({ ...webhook, body: 'x'.repeat(1_048_577) })).toMatch(/^413 /);
      const [first, second] = await Promise.all([send(webhook), send(webhook)]);
      expect([first, second, await send(webhook)].join()).toMatch(/^200 .*,200 .*,200 /);
      expect(await ask('/retry/in_edge', merchant)).toMatch(/^200 {"retry":false,/);

      const service = await startStandIn();
      onTestFinished(service.close);
      const answer = await fetch(`${url}/?service=${encodeURIComponent(service.url)}`);
      expect(await answer.json()).toEqual({
        after503: { tries: 3, keys: 1 },
        pages: ['in_1', 'in_2', 'in_3'],
        rows: ['1 ana_x', '2 ana_x', '3 ana_x', '4 ana_x'],
        missing: 'api 404 not_found',
        moved: 'api 302 unexpected_answer',
        silent: 'connection timeout',
        stalled: 'connection timeout',
        cut: 'connection network',
        aborted: 'enough',
      });
    });
  }
});
