import { dayMs, hourMs } from '../../domain/clock.ts';
import type { Figure } from '../../domain/network-rules/dated.ts';
import { achReasons, sepaReasons } from '../../domain/network-rules/debit-reason.ts';
import { indiaNoticeMs, maxIndiaAmountMinor } from '../../domain/network-rules/india.ts';
import {
  mastercardAdviceFees,
  mastercardExcessFees,
  mastercardOptimizerFees,
  maxMastercardDaily,
  maxMastercardDailyBrazil,
  maxMastercardMonthly,
} from '../../domain/network-rules/mastercard.ts';
import {
  type AdviceEffect,
  mastercardAdvice,
} from '../../domain/network-rules/mastercard-advice.ts';
import { type FeeAmount, feeText } from '../../domain/network-rules/network-fee.ts';
import {
  eloFee,
  maxAchRetries,
  maxAmexDiscover,
  maxEloMonthly,
  maxSepaRetries,
} from '../../domain/network-rules/other-networks.ts';
import type { FeeRegion } from '../../domain/network-rules/regions.ts';
import { rulePackVersion } from '../../domain/network-rules/rule-pack.ts';
import { ruleSources } from '../../domain/network-rules/rule-sources.ts';
import { networkRules } from '../../domain/network-rules/rules.ts';
import {
  maxVisaReattempts,
  visaCounters,
  visaDataQualityThreshold,
  visaDomesticFee,
  visaInterregionalFee,
  visaStopFee,
} from '../../domain/network-rules/visa.ts';
import { visaCategories } from '../../domain/network-rules/visa-categories.ts';
import { markdownTable } from './markdown-table.ts';

const head = `# Network rules

Generated from \`src/domain/network-rules/\` by \`npm run generate\`; do not edit. Edition ${rulePackVersion}.

Card networks charge for retries that their rules forbid. Recoup holds every charge to these rules
before it is begun: no plan, no request and no answer of a merchant's server overrides them. All charges
of a card at a merchant's PSP count, those that the merchant reports too, across invoices and methods.
A charge on its way, or whose answer was lost, counts as a decline until the PSP says otherwise.

- **A card** is known by its fingerprint where the PSP gives one, in the answer to a charge or its
  webhook, or the merchant does in a report; else by its payment method's id. Once a fingerprint is
  known, the charges under all ids of the card count as one history, those before it too.
  A method that the merchant reports as updated may hold another card: what was said of the card
  before it is void then, unless a fingerprint that was learned since names the card. The counters go on.
- **A bank debit** of SEPA or ACH is known by the scheme of its report, and why it came back by the reason
  code with which the report's \`processor_response_code\` or one of its messages begins: \`AM04\`, \`R01\`.
  Stripe's \`insufficient_funds\` counts as these two. Once the method is reported as updated, the reason is void; the
  counter of the invoice goes on.
- **A refusal** leads to the next method, or to the time at which the rule allows the charge. It stands
  in the attempt's record with the rule's id, its source and that time.
- **Windows** roll, in hours of UTC. An approval takes back what a decline before it said of the card.
- **The fees** are those that were published; acquirers add their own. \`recoup fees\` sums them.
- **Watched by nobody here:** Visa's threshold for data quality is an acceptor's sum over all of its
  charges, most of which Recoup never sees. The figure is kept for those who do.
`;

/** docs/network-rules.md: every rule and figure, with its source and its dates. */
export function renderNetworkRulesDoc(): string {
  return [
    head,
    rulesSection(),
    visaSection(),
    mastercardSection(),
    othersSection(),
    sourcesSection(),
  ].join('\n');
}

function rulesSection(): string {
  const rows = Object.entries(networkRules).map(([id, rule]) => [
    `\`${id}\``,
    'why' in rule ? `${rule.words} ${rule.why}` : rule.words,
    rule.source,
  ]);
  return section('Rules', markdownTable(['rule', 'what it says', 'source'], rows));
}

function visaSection(): string {
  const categories = Object.entries(visaCategories)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([code, figures]) =>
      figures.map((figure) => {
        const where = figure.regions === undefined ? '' : ` (${figure.regions.join(', ')})`;
        return row(`\`${code}\``, figure, `${figure.value}${where}`);
      }),
    );
  return section(
    'Visa',
    figureTable([
      ...rows('reattempts in 30 days, most', maxVisaReattempts, String),
      ...rows('counters', visaCounters, (value) => value.replaceAll('_', ' ')),
      ...rows('fee, domestic', visaDomesticFee, feeText),
      ...rows('fee, interregional', visaInterregionalFee, feeText),
      ...rows('fee from the fourth attempt after R0, R1 or R3', visaStopFee, feeText),
      ...rows('declines in 30 days for the fee of category 3', visaDataQualityThreshold, String),
    ]),
    '### Categories\n\n1: never again; 2: not now; 3: after new data; 4: every other code.\n',
    markdownTable(['code', 'category', 'from', 'until', 'source'], categories),
  );
}

function mastercardSection(): string {
  const advice = Object.entries(mastercardAdvice)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { meaning, effect, source }]) => [
      `\`${code}\``,
      meaning,
      effectText(effect),
      source,
    ]);
  return section(
    'Mastercard',
    figureTable([
      ...rows('declines in 24 hours, most', maxMastercardDaily, String),
      ...rows('the same in Brazil', maxMastercardDailyBrazil, String),
      ...rows('declines in 30 days, most', maxMastercardMonthly, String),
      ...regional('fee beyond a limit', mastercardExcessFees),
      ...regional('fee within 30 days of advice 03 or 21', mastercardAdviceFees),
      ...regional('fee of 51 with advice 24 to 30', mastercardOptimizerFees),
    ]),
    '### Merchant advice codes\n',
    markdownTable(['advice', 'meaning', 'effect', 'source'], advice),
  );
}

function othersSection(): string {
  return section(
    'Other networks and countries',
    figureTable([
      ...rows('Amex and Discover: tries in 24 hours and in 30 days, most', maxAmexDiscover, String),
      ...rows('Elo: attempts in a calendar month, most', maxEloMonthly, String),
      ...rows('Elo: fee beyond it, from the second such month on', eloFee, feeText),
      ...rows('SEPA direct debit: retries, most', maxSepaRetries, String),
      ...rows('SEPA direct debit: reasons that allow one', sepaReasons, (value) =>
        value.join(', '),
      ),
      ...rows('ACH: re-presentments, most', maxAchRetries, String),
      ...rows('ACH: reasons that allow one', achReasons, (value) => value.join(', ')),
      ...rows(
        'India: largest debit without authentication',
        maxIndiaAmountMinor,
        (value) => `${value / 100} INR`,
      ),
      ...rows('India: notice before a debit', indiaNoticeMs, durationText),
    ]),
  );
}

function sourcesSection(): string {
  return section('Sources', markdownTable(['source', 'what it is'], Object.entries(ruleSources)));
}

function effectText(effect: AdviceEffect): string {
  switch (effect.kind) {
    case 'never':
      return 'never again';
    case 'spent':
      return 'no second charge';
    case 'wait':
      return `not before ${durationText(effect.waitMs)}`;
    case 'none':
      return 'left to the policy';
  }
}

function durationText(durationMs: number): string {
  const days = durationMs / dayMs;
  if (Number.isInteger(days) && days > 1) return `${days} days`;
  const hours = durationMs / hourMs;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

type Row = readonly string[];

function rows<Value>(
  name: string,
  figures: readonly Figure<Value>[],
  words: (value: Value) => string,
): readonly Row[] {
  return figures.map((figure) => row(name, figure, words(figure.value)));
}

function regional(
  name: string,
  fees: Readonly<Record<FeeRegion, readonly Figure<FeeAmount>[]>>,
): readonly Row[] {
  return Object.entries(fees).flatMap(([region, figures]) =>
    rows(`${name}, ${region.replaceAll('_', ' ')}`, figures, feeText),
  );
}

function row(name: string, figure: Figure<unknown>, words: string): Row {
  const value = figure.why === undefined ? words : `${words}. ${figure.why}`;
  return [name, value, figure.from ?? '', figure.until ?? '', figure.source];
}

function figureTable(lines: readonly Row[]): string {
  return markdownTable(['figure', 'value', 'from', 'until', 'source'], lines);
}

function section(title: string, ...parts: readonly string[]): string {
  return [`## ${title}\n`, ...parts].join('\n');
}
