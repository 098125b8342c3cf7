import fc from 'fast-check';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import type {
  CardAttempt,
  ProposedCharge,
} from '../../../src/domain/network-rules/card-attempt.ts';
import type { RuledNetwork } from '../../../src/domain/network-rules/ruled-network.ts';

/** Days of the tests: around each effective date, and one with none near. */
const anchors = [
  '2021-04-17',
  '2022-10-01',
  '2023-02-01',
  '2023-11-01',
  '2025-05-19',
  '2025-10-01',
  '2026-03-29',
  '2026-10-25',
  '2026-12-31',
];

const codes: Readonly<Record<RuledNetwork, readonly (string | undefined)[]>> = {
  visa: ['51', '51', '05', '51', undefined, '57', '43', '03', 'R1', '14'],
  mastercard: ['51', '51', '05', '79', undefined, '82'],
  amex: ['116', '100', undefined],
  discover: ['51', '05', undefined],
  elo: ['51', '57', undefined],
  sepa_debit: ['AM04', 'AM04', 'MS03', 'MD01', undefined],
  ach: ['R01', 'R01', 'R09', 'R03', undefined],
  unknown: ['51', '51', '05', undefined, '57', '43'],
};
const advice = ['02', '03', '21', '22', '24', '25', '26', '27', '28', '29', '30', '40', '41', '43'];
const spansMs = [3 * hourMs, 30 * hourMs, 8 * dayMs, 31 * dayMs, 45 * dayMs];

export interface Case {
  readonly history: readonly CardAttempt[];
  readonly proposed: ProposedCharge;
}

/**
 * Histories of one card, dense enough to come to its limits, and a charge at their end. Each attempt
 * is drawn as one number and read digit by digit, since ten thousand histories are drawn.
 */
export function cases(network: RuledNetwork): fc.Arbitrary<Case> {
  return fc
    .tuple(fc.array(fc.nat(0x7fffffff), { maxLength: 45 }), fc.nat(0x7fffffff), fc.nat(0x7fffffff))
    .map(([numbers, own, world]) => {
      const at = reader(world);
      const anchor = addMs(new Date(anchors[at(anchors.length)] ?? ''), at(4 * 1440) * minuteMs);
      const spanMs = spansMs[at(spansMs.length)] ?? 0;
      const rareEvil = at(3) > 0;
      const history = numbers.map((number, index) =>
        attemptOf(network, number, { index, anchor, spanMs, rareEvil }),
      );
      return { history, proposed: proposedOf(network, own, anchor) };
    });
}

function attemptOf(
  network: RuledNetwork,
  number: number,
  world: { index: number; anchor: Date; spanMs: number; rareEvil: boolean },
): CardAttempt {
  const pick = reader(number);
  // One in forty is dated after the charge: the clock was set back.
  const isAhead = pick(40) === 0;
  const agoMs = Math.floor((pick(2000) / 2000) * world.spanMs);
  const outcome = (['approved', 'sent', 'sent'] as const)[pick(24)] ?? 'declined';
  const known = codes[network];
  const isEvil = pick(world.rareEvil ? 60 : 6) === 0;
  const networkCode = isEvil ? known[pick(known.length)] : known[0];
  const adviceCode = isEvil && pick(2) === 0 ? advice[pick(advice.length)] : undefined;
  return {
    id: `c_${world.index}`,
    invoiceId: network === 'ach' || network === 'sepa_debit' ? `in_${pick(12)}` : `in_${pick(3)}`,
    at: addMs(world.anchor, isAhead ? Math.floor(agoMs / 20) : -agoMs),
    initiator: pick(5) === 0 ? 'cit' : 'mit',
    credential: pick(6) === 0 ? 'token' : 'pan',
    outcome,
    ...(outcome === 'declined' && networkCode !== undefined ? { networkCode } : {}),
    ...(outcome === 'declined' && adviceCode !== undefined ? { adviceCode } : {}),
  };
}

function proposedOf(network: RuledNetwork, number: number, at: Date): ProposedCharge {
  const pick = reader(number);
  const issuerCountry = [undefined, 'US', 'BR', 'DE', 'IN'][pick(12)];
  const acquirerCountry = [undefined, 'US', 'BR', 'DE', 'GB'][pick(8)];
  const renewed = pick(8) === 0 ? addMs(at, -pick(30) * dayMs) : undefined;
  return {
    network,
    at,
    invoiceId: 'in_0',
    initiator: pick(6) === 0 ? 'cit' : 'mit',
    credential: pick(6) === 0 ? 'token' : 'pan',
    amountMinor: pick(2) === 0 ? 1_500_000 : 1_500_001,
    currency: pick(2) === 0 ? 'INR' : 'USD',
    ...(issuerCountry === undefined ? {} : { issuerCountry }),
    ...(acquirerCountry === undefined ? {} : { acquirerCountry }),
    ...(renewed === undefined ? {} : { renewedAt: renewed }),
  };
}

/** Reads a number as digits of changing bases; its bits are mixed first, and again for each digit. */
function reader(number: number): (base: number) => number {
  let state = number;
  return (base) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state ^= state >>> 13;
    return (state >>> 0) % base;
  };
}
