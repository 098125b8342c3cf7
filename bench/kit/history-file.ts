import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { usableMethods } from '../../src/policy/gates.ts';
import { hourOf, instantOf } from '../../src/simulator/calendar.ts';
import { charge } from '../../src/simulator/charge.ts';
import { type Observed, type SimulatedPolicy, toPlanInput } from '../../src/simulator/observed.ts';
import { drawPayer } from '../../src/simulator/payer.ts';
import { playPayment } from '../../src/simulator/play-payment.ts';
import { randomPolicy } from '../../src/simulator/policies/simple-policies.ts';
import { buildWorld, type World } from '../../src/simulator/world.ts';

const header =
  'attempt_id,invoice_id,customer_id,occurred_at,amount,currency,outcome,' +
  'network_code,advice_code,brand,funding,bin,card,propensity';
const days = 28;
const maxTries = 8;

export interface HistoryFileInput {
  readonly path: string;
  /** Rows at least; the file ends with the recovery that reaches them. */
  readonly rows: number;
  readonly seed: number;
}

/**
 * Writes the history of a merchant of the simulated world, whose tries were made at hours by chance:
 * each payer's earlier payments, their failure and every try of it, with propensities.
 */
export async function writeHistoryFile(input: HistoryFileInput): Promise<{ rows: number }> {
  const world = buildWorld({ seed: input.seed, days });
  const file = createWriteStream(input.path);
  let rows = 0;
  file.write(`${header}\n`);
  for (let index = 0; rows < input.rows; index += 1) {
    const lines = linesOf(world, index);
    rows += lines.length;
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return { rows };
}

function linesOf(world: World, index: number): readonly string[] {
  const seen: Observed[] = [];
  const random = randomPolicy(world.seed + 1_000_003, maxTries);
  const recorder: SimulatedPolicy = {
    name: random.name,
    next: (observed) => {
      seen[observed.tries.length] = observed;
      return random.next(observed);
    },
  };
  const payer = drawPayer(world, index);
  const { triedHours, end, firstDecline } = playPayment(world, payer, recorder);
  const [first] = seen;
  if (first === undefined) return [];
  const { network, cardFunding, bin, amountMinor, past } = first;
  const amount = (amountMinor / 100).toFixed(2);
  const card = `card_${index}`;
  const line = (at: {
    readonly id: string;
    readonly invoice: string;
    readonly hour: number;
    readonly outcome: string;
    readonly codes?: string;
    readonly propensity?: number;
  }): string =>
    `${at.id},${at.invoice},cus_${index},${instantOf(at.hour).toISOString()},${amount},USD,` +
    `${at.outcome},${at.codes ?? ','},${network},${cardFunding},${bin},${card},` +
    `${at.propensity?.toPrecision(6) ?? ''}\n`;
  const earlier = past.map(({ hour, succeeded }, at) =>
    line({
      id: `ch_${index}_p${at}`,
      invoice: `in_${index}_p${at}`,
      hour,
      outcome: succeeded ? 'succeeded' : 'declined',
    }),
  );
  const invoice = `in_${index}`;
  const failure = line({
    id: `ch_${index}_0`,
    invoice,
    hour: payer.failedHour,
    outcome: 'declined',
    codes: codesOf(firstDecline),
  });
  const tries = triedHours.map((hour, at) => {
    const isLast = at === triedHours.length - 1;
    const isPaid = isLast && end === 'recovered_by_retry';
    const result = isPaid ? undefined : charge(world, payer, hour, triedHours.slice(0, at));
    const decline = result?.kind === 'declined' ? result.decline : undefined;
    return line({
      id: `ch_${index}_${at + 1}`,
      invoice,
      hour,
      outcome: isPaid ? 'succeeded' : 'declined',
      ...(decline === undefined ? {} : { codes: codesOf(decline) }),
      propensity: propensityOf(seen[at] ?? first, hour),
    });
  });
  return [...earlier, failure, ...tries];
}

function codesOf(decline: { readonly networkCode?: string; readonly adviceCode?: string }): string {
  return `${decline.networkCode ?? ''},${decline.adviceCode ?? ''}`;
}

/**
 * The chance of the hour of a try: one of the hours of its part, unless the issuer's advice moved
 * earlier ones to its end; a renewed card is tried for certain.
 */
function propensityOf(observed: Observed, hour: number): number {
  const { nowHour, windowEndHour, tries } = observed;
  const settings = {
    kind: 'fixed',
    windowDays: days,
    maxAttempts: maxTries,
    fixedDays: [],
  } as const;
  const [method] = usableMethods(toPlanInput(observed, settings));
  if (method === undefined || method.renewed) return 1;
  const hours = Math.max(1, Math.floor((windowEndHour - nowHour) / (maxTries - tries.length)));
  const allowedHour = hourOf(method.allowedAt);
  const moved = hour === allowedHour ? allowedHour - nowHour : 1;
  return Math.min(1, Math.max(1, moved) / hours);
}
