import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from '../kit/serve.ts';

/** A well-behaved merchant: reports at a steady pace, whether or not the answers come. */
export interface SteadyInput {
  readonly url: string;
  readonly apiKey: string;
  readonly perSecond: number;
  readonly durationMs: number;
}

export interface SteadyResult {
  readonly latenciesMs: readonly number[];
  /** How many answers had each status; 0 stands for none. */
  readonly statuses: Readonly<Record<number, number>>;
}

const answerWithinMs = 60_000;
const agent = new Agent({ keepAlive: true });
let sent = 0;

async function steady(input: SteadyInput): Promise<SteadyResult> {
  const latenciesMs: number[] = [];
  const statuses: Record<number, number> = {};
  const answers: Promise<void>[] = [];
  const startedAtMs = performance.now();
  const count = Math.round((input.durationMs / 1000) * input.perSecond);
  for (let n = 0; n < count; n += 1) {
    const dueMs = startedAtMs + (n * 1000) / input.perSecond;
    await wait(Math.max(0, dueMs - performance.now()));
    const sentAtMs = performance.now();
    answers.push(
      report(input).then((status) => {
        latenciesMs.push(performance.now() - sentAtMs);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
  }
  await Promise.all(answers);
  return { latenciesMs, statuses };
}

function report({ url, apiKey }: SteadyInput): Promise<number> {
  sent += 1;
  const body = `{"customer_id":"cus_${sent}","payment_method_id":"pm_${sent}"}`;
  return new Promise((resolve) => {
    const call = request(
      `${url}/recover/payment_method_updates`,
      {
        method: 'POST',
        agent,
        timeout: answerWithinMs,
        headers: {
          'x-api-key': apiKey,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(0));
    call.end(body);
  });
}

const calls = { steady };
export type NeighbourCalls = typeof calls;

serve(calls, async () => agent.destroy());
