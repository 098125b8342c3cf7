import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { upliftShape } from '../../../operator/uplift/uplift-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { table } from '../../table.ts';
import { verdictWords } from '../../verdict-words.ts';

export type Uplift = Static<typeof upliftShape>;
type Part = Uplift['parts'][number];
type Verdict = NonNullable<Part['verdict']>;
type Figures = Part['arms'][number]['figures'];
type Figure = NonNullable<Figures[string]>;

interface ReportOptions extends ShowOptions {
  readonly merchant?: string;
  readonly since?: string;
  readonly until?: string;
}

/** recoup report */
export function addReport(program: Command, cli: Cli): void {
  program
    .command('report')
    .description('compare what the learned policy recovers with the holdout')
    .option('--merchant <id>', 'only this merchant')
    .option('--since <time>', 'only payments that failed at this time or later')
    .option('--until <time>', 'only payments that failed before this time')
    .addHelpText(
      'after',
      examples('report', 'report --merchant mer_3v5k… --since 2026-03-01T00:00:00Z'),
    )
    .action(async (options: ReportOptions) => {
      const client = await cli.open();
      const { merchant, since, until } = options;
      const answer = await client.get<Uplift>('/uplift', { merchant_id: merchant, since, until });
      cli.show(options, answer, () => reportText(answer));
    });
}

const titles = {
  all: 'ALL PAYMENTS',
  decline_class: 'BY FIRST DECLINE',
  method: 'BY PAYMENT METHOD',
  cohort: 'BY WEEK OF THE FAILURE',
} as const satisfies Readonly<Record<Part['dimension'], string>>;

/** Each part of the payments as a table, with both arms and their difference. */
export function reportText({ notice, as_of: asOf, parts }: Uplift): string {
  const keys = [...new Set(parts.map(({ currency, dimension }) => `${currency} ${dimension}`))];
  const sections = keys.map((key) => {
    const ofKey = parts.filter(({ currency, dimension }) => `${currency} ${dimension}` === key);
    return partsTable(ofKey);
  });
  const others = parts
    .filter(({ dimension }) => dimension === 'all')
    .flatMap(({ arms }) => arms)
    .reduce((sum, arm) => sum + arm.other_fees, 0);
  return [
    ...(notice === undefined ? [] : [notice]),
    ...parts.flatMap((part) =>
      part.verdict === undefined ? [] : [verdictText(part.verdict, part)],
    ),
    ...sections,
    ...(others > 0 ? [`${others} payments have fees in another currency: not counted.`] : []),
    ...(parts.length === 0
      ? []
      : [
          `Counted through ${asOf ?? 'no time'}. Brackets: 95 % intervals, clustered by payer; none for fewer ` +
            'than 20 groups of payers. The difference is of the same merchants and weeks; that to the schedule before ' +
            'the first model is before and after, not by chance.',
        ]),
  ].join('\n\n');
}

/** What may be said of the money, first. */
function verdictText(verdict: Verdict, { currency, arms }: Part): string {
  const { amount, learned_payments: learned, holdout_payments: holdout } = verdict;
  const { value, low, high } = amount;
  const money = (each: number) => `${each > 0 ? '+' : ''}${each.toFixed(2)}`;
  const bounds = low === undefined || high === undefined ? '' : ` [${money(low)}, ${money(high)}]`;
  const words = verdictWords(verdict, {
    subject: 'the learned policy recovers',
    than: ' than the holdout',
  });
  const open = arms
    .filter(({ arm }) => arm === 'learned' || arm === 'holdout')
    .reduce((sum, each) => sum + each.open, 0);
  return (
    `${currency} ${money(value)}${bounds} against the holdout: ${words}. ` +
    `${learned} learned payments beside ${holdout} held out.` +
    (open === 0
      ? ''
      : ` ${open} of them all are still open: until their windows end, a policy that tries sooner is ahead.`)
  );
}

/** A row of the table: an arm of a part, or the difference of two of them. */
interface Row {
  readonly part: string;
  readonly arm: string;
  readonly n: string;
  readonly open?: number;
  readonly figures: Figures;
}

function partsTable(parts: readonly Part[]): string {
  const [first] = parts;
  const rows = parts.flatMap(({ part, arms, difference, former }): readonly Row[] => {
    const ofArm = (name: string) => arms.find(({ arm }) => arm === name)?.payments ?? 0;
    return [
      ...arms.map(({ arm, payments, open, figures }) => ({
        part,
        arm,
        n: String(payments),
        open,
        figures,
      })),
      ...(difference === undefined
        ? []
        : [
            {
              part,
              arm: 'learned - holdout',
              n: `${ofArm('learned')} - ${ofArm('holdout')}`,
              figures: difference,
            },
          ]),
      ...(former === undefined
        ? []
        : [
            {
              part,
              arm: 'learned - before',
              n: `${ofArm('learned')} - ${former.payments}`,
              figures: former.difference,
            },
          ]),
    ];
  });
  const rate = (name: string) => (row: Row) => shown(row.figures[name], 100, 1);
  const plain = (name: string) => (row: Row) => shown(row.figures[name], 1, 2);
  return table(
    rows,
    [
      { head: `${first?.currency} ${titles[first?.dimension ?? 'all']}`, text: ({ part }) => part },
      { head: 'ARM', text: ({ arm }) => arm },
      { head: 'N', text: ({ n }) => n, align: 'right' },
      { head: 'OPEN', text: ({ open }) => open?.toString(), align: 'right' },
      { head: 'RECOVERED %', text: rate('recovered_rate') },
      { head: 'OR PAID %', text: rate('recovered_or_paid_rate') },
      { head: 'AMOUNT %', text: rate('recovered_amount_rate') },
      { head: 'NET %', text: rate('net_amount_rate') },
      { head: 'TRIES', text: plain('attempts_per_recovery') },
      { head: 'DAYS', text: plain('days_to_recovery') },
      {
        head: 'FEES',
        text: ({ figures }) => shown(figures.fees_per_payment, 1, 4),
      },
    ],
    'none',
  );
}

function shown(figure: Figure | undefined, factor: number, digits: number): string | undefined {
  if (figure === undefined) return undefined;
  const text = (value: number) => (value * factor).toFixed(digits);
  const { value, low, high } = figure;
  if (low === undefined || high === undefined) return text(value);
  return `${text(value)} [${text(low)}, ${text(high)}]`;
}
