import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { base32 } from '../domain/ids.ts';
import { defaultPolicy, type MerchantAuth } from '../domain/merchant.ts';
import type { ReceivedEvent } from '../merchant/demo-inbox.ts';
import { type DemoMerchant, startDemoMerchant } from '../merchant/demo-merchant.ts';
import type { PspAdapter } from '../psp/adapter.ts';
import { createSandboxAdapter } from '../psp/sandbox/adapter.ts';
import { type SandboxPsp, startSandboxPsp } from '../psp/sandbox/server/sandbox-server.ts';
import type { OperatorApi } from '../recovery/operator-api.ts';
import { findMerchant } from '../store/admin/merchants.ts';
import type { AppContext, Closable } from './context.ts';
import { createWorldIssuer } from './sandbox-world/world-card.ts';

/** The way to the sandbox's PSP, which runs in this process or in another. */
export interface SandboxPspModule extends Closable {
  readonly adapter: PspAdapter;
}

/** What the sandbox PSP's callers send as their secret: it guards nothing but pretended money. */
const sandboxApiKey = 'sandbox_key';

export async function startSandboxPspModule(context: AppContext): Promise<SandboxPspModule> {
  const { config } = context;
  const psp = await findSandboxPsp(context);
  const adapter = createSandboxAdapter({
    baseUrl: psp.url,
    apiKey: sandboxApiKey,
    deadlineMs: config.pspTimeoutMs,
  });
  return {
    adapter,
    async close() {
      await adapter.close();
      await psp.close();
    },
  };
}

/** Workers charge, so the PSP is a worker's unless a setting names another one. */
async function findSandboxPsp(context: AppContext): Promise<Pick<SandboxPsp, 'url' | 'close'>> {
  const { roles, host, sandboxPspPort, sandboxPspUrl } = context.config;
  if (sandboxPspUrl === undefined && roles.includes('worker')) return startOwnPsp(context);
  const url = sandboxPspUrl ?? `http://${host}:${sandboxPspPort}`;
  return { url, close: async () => undefined };
}

function startOwnPsp({ config, clock, random, outside }: AppContext): Promise<SandboxPsp> {
  return startSandboxPsp(
    { clock, random, decide: outside?.decide ?? createWorldIssuer() },
    {
      host: config.host,
      port: config.sandboxPspPort,
      ledgerDir: join(config.dataDir, 'sandbox'),
      apiKey: sandboxApiKey,
    },
  );
}

/** Everything that the demo merchant was given, kept so that a second start knows it. */
export interface DemoCredentials {
  readonly merchantId: string;
  readonly recoveryApiKey: string;
  readonly disputesUsername: string;
  readonly disputesPassword: string;
  readonly signingSecret: string;
  /** What our calls to its server carry in x-api-key. */
  readonly ownApiKey: string;
}

export interface DemoModule extends Closable {
  readonly server: DemoMerchant;
  readonly credentials: DemoCredentials;
}

/** Starts the demo merchant's server, and registers the merchant where the database has none. */
export async function startDemoModule(
  context: AppContext,
  operator: Pick<OperatorApi, 'createMerchant' | 'changeMerchant'>,
  onVerified: (received: ReceivedEvent) => void,
): Promise<DemoModule> {
  const { config, clock, random, db } = context;
  const path = join(config.dataDir, 'demo-merchant.json');
  const kept = await readKept(path);
  const ownApiKey = kept?.ownApiKey ?? `demo_${base32(random.bytes(20))}`;
  let credentials = kept;
  const server = await startDemoMerchant({
    clock,
    apiKey: ownApiKey,
    signingSecrets: () => (credentials === undefined ? [] : [credentials.signingSecret]),
    onVerified,
    port: config.demoMerchantPort,
  });
  try {
    const known = kept === undefined ? undefined : await findMerchant(db, kept.merchantId);
    if (kept === undefined || known === undefined) {
      // With a database and secrets of one's own nobody else has made it.
      await mkdir(config.dataDir, { recursive: true });
      credentials = await register(operator, server, ownApiKey);
      await writeFile(path, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
      await chmod(path, 0o600);
    } else if (hasOtherPort(known, server)) {
      const { retryStatusUrl, webhookUrl } = server;
      const auth = authOf(ownApiKey);
      await operator.changeMerchant(kept.merchantId, { retryStatusUrl, webhookUrl, auth });
    }
  } catch (error) {
    await server.close();
    throw error;
  }
  return { server, credentials: credentials as DemoCredentials, close: () => server.close() };
}

type Addresses = Pick<DemoMerchant, 'retryStatusUrl' | 'webhookUrl'>;

/** Whether its port was changed since; addresses that somebody gave the demo merchant instead are theirs. */
function hasOtherPort(known: Addresses, server: Addresses): boolean {
  const moved = (url: string): string => {
    const at = new URL(url);
    at.port = new URL(server.webhookUrl).port;
    return at.href;
  };
  const isOwn =
    moved(known.webhookUrl) === new URL(server.webhookUrl).href &&
    moved(known.retryStatusUrl) === new URL(server.retryStatusUrl).href;
  return isOwn && known.webhookUrl !== server.webhookUrl;
}

/** How the demo merchant's server knows who asks it. */
function authOf(apiKey: string): MerchantAuth {
  return { type: 'api_key', api_key: apiKey };
}

async function readKept(path: string): Promise<DemoCredentials | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoCredentials;
  } catch {
    // Absent, or cut short by a crash: the demo merchant is registered anew.
    return undefined;
  }
}

async function register(
  operator: Pick<OperatorApi, 'createMerchant'>,
  server: DemoMerchant,
  ownApiKey: string,
): Promise<DemoCredentials> {
  const { merchant, ...shown } = await operator.createMerchant({
    name: 'Demo merchant',
    retryStatusUrl: server.retryStatusUrl,
    webhookUrl: server.webhookUrl,
    auth: authOf(ownApiKey),
    psps: [{ psp: 'sandbox', credentials: {} }],
    policy: defaultPolicy,
    endOfDunning: true,
  });
  return { merchantId: merchant.merchantId, ...shown, ownApiKey };
}
