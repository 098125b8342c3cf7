import { findMatch } from '../src/disputes/match-dispute.ts';
import type { DisputeFacts } from '../src/domain/disputes/reported-dispute.ts';
import { createMatchStore } from '../src/store/disputes/matching/match-store.ts';
import { capturedAt, emailIndexOf, startMatchWorld } from './kit/match-world.ts';
import { print } from './kit/report.ts';
import { median, percentile } from './kit/statistics.ts';

const records = 1_000_000;
const disputesOfEach = 200;
const warmUps = 40;
const budgetMs = 20;

type Facts = (n: number) => Partial<DisputeFacts>;

/** What disputes name of their charges, by what they are matched by. */
const kinds: Readonly<Record<string, Facts>> = {
  charge: (n) => ({ paymentIds: [`ch_${n}`, `pi_${n}`] }),
  network_transaction: (n) => ({ networkTransactionId: `nti_${n}` }),
  invoice: (n) => ({ merchantReference: `in_${n}` }),
  renewal: (n) => ({ paymentIds: [`ch_${firstOf(n)}_11`], chargedAt: new Date() }),
  customer: (n) => ({ pspCustomerId: `cus_${n >> 2}`, chargedAt: new Date() }),
  email_card_time: (n) => {
    const first = firstOf(n);
    const chargedAt = capturedAt(first, records, new Date());
    return { emailIndex: emailIndexOf(first >> 2), cardFingerprint: `fp_${first}`, chargedAt };
  },
  none: (n) => ({ paymentIds: [`ch_of_nobody_${n}`], networkTransactionId: `x_${n}` }),
};

/** The analytics record that began the subscription: every 36th has one. */
function firstOf(n: number): number {
  return n - ((n - 1) % 36);
}

/** One dispute among a million analytics records: found, scored and durably kept; milliseconds. */
export async function matching(): Promise<void> {
  await using world = await startMatchWorld(records);
  const clock = { now: () => new Date() };
  const deps = { clock, matches: createMatchStore({ db: world.db }) };
  const all: number[] = [];
  const looks: number[] = [];
  for (const [kind, facts] of Object.entries(kinds)) {
    const tookMs: number[] = [];
    const foundMs: number[] = [];
    const states = new Map<string, number>();
    for (let index = 0; index < disputesOfEach + warmUps; index += 1) {
      const n = 1 + ((index * 7_919 * 36) % (records - 36));
      const dispute = await world.dispute(`dp_${kind}_${index}`, facts(n));
      const startedAtMs = performance.now();
      await deps.matches.findCandidates(dispute);
      const foundAtMs = performance.now();
      const state = await findMatch(deps, dispute);
      if (index >= warmUps) {
        foundMs.push(foundAtMs - startedAtMs);
        tookMs.push(performance.now() - foundAtMs);
      }
      states.set(state, (states.get(state) ?? 0) + 1);
    }
    const outcome = [...states].map(([state, count]) => `${count} ${state}`).join(', ');
    print(`  ${kind}: ${asText(tookMs)}; the look-up alone ${asText(foundMs)} (${outcome})`);
    all.push(...tookMs);
    looks.push(...foundMs);
  }
  const p99 = percentile(all, 99);
  print(
    `matching one dispute among ${records} analytics records: ${asText(all)} ` +
      `(budget ${budgetMs} ms: ${p99 <= budgetMs ? 'kept' : 'missed'}); ` +
      `the look-up alone ${asText(looks)}`,
  );
}

function asText(values: readonly number[]): string {
  return `p50 ${ms(median(values))}, p99 ${ms(percentile(values, 99))}`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
