import type { Agent } from 'node:http';
import type { ApiOperation } from '../../test/kits/open-api.ts';
import type { Seeded } from '../../test/kits/seeded.ts';
import { type Sent, sendAsIs, undocumentedOf } from '../../test/kits/sent-as-is.ts';
import { invent } from './invent.ts';
import type { Remembered } from './remembered.ts';

export interface FuzzedApi {
  readonly name: 'recovery' | 'disputes' | 'operator';
  readonly url: string;
  readonly agent: Agent;
  readonly operations: readonly ApiOperation[];
  readonly credentials: Readonly<Record<string, string>>;
  readonly remembered: Remembered;
  readonly random: Seeded;
  /** The merchant whose credentials are used, and so are not to be replaced or revoked. */
  readonly spared: string;
  /** What was found, with how often. */
  readonly faults: Map<string, number>;
}

const connections = 8;
/** What makes the whole service work for seconds, as it should. */
const rarely: ReadonlySet<string> = new Set([
  'POST /api/sandbox/clock',
  'POST /api/models/train',
  'POST /api/what-ifs',
  'POST /api/keys/rotations',
  'POST /api/audit/verify',
  'POST /api/invariants/checks',
  'GET /api/invariants',
  'GET /api/checkup',
]);

/** Sends so many requests; how often each status was the answer. */
export async function fuzzApi(
  api: FuzzedApi,
  requests: number,
): Promise<Readonly<Record<number, number>>> {
  const statuses: Record<number, number> = {};
  let left = requests;
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const operation = pickOperation(api);
      const sent = inventAllowed(api, operation);
      const answer = await sendAsIs(api, sent);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      for (const fault of undocumentedOf(operation, answer)) note(api, operation, fault);
      if (answer.type?.startsWith('application/json') === true && answer.status < 300) {
        api.remembered.learn(JSON.parse(answer.text));
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return statuses;
}

function note({ faults }: FuzzedApi, { name }: ApiOperation, fault: string): void {
  const text = `${name}: ${fault.slice(0, 300)}`;
  if (!faults.has(text)) process.stderr.write(`${text}\n`);
  faults.set(text, (faults.get(text) ?? 0) + 1);
}

function pickOperation({ random, operations }: FuzzedApi): ApiOperation {
  const [first, ...others] = operations;
  if (first === undefined) throw new Error('The document has no operations');
  const operation = random.pick([first, ...others]);
  return rarely.has(operation.name) && !random.chance(0.03) ? first : operation;
}

function inventAllowed(api: FuzzedApi, operation: ApiOperation): Sent {
  const sent = invent(api.random, { ...api, operation });
  const isChange = operation.method !== 'GET' && sent.path.startsWith('/api/merchants/');
  // The merchant itself too: its servers are those of the sandbox.
  const isSpared = isChange && sent.path.includes(api.spared) && !sent.path.includes('/payments/');
  return isSpared ? { ...sent, path: sent.path.replace(api.spared, 'unknown_1') } : sent;
}
