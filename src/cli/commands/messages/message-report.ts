import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { messageReportShape } from '../../../operator/messages/show-message-report.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { pathOf } from '../../operator-client.ts';
import { details, table } from '../../table.ts';
import { verdictWords } from '../../verdict-words.ts';

type Report = Static<typeof messageReportShape>;
type Comparison = Report['currencies'][number];
type Figure = NonNullable<Comparison['messages']['recovered_rate']>;

/** recoup messages report */
export function addMessageReport(messages: Command, cli: Cli): void {
  messages
    .command('report')
    .description('compare what is recovered with messages and without, and how certain that is')
    .argument('<merchant>')
    .option('--since <time>', 'only payments that began to wait at this time or later (RFC 3339)')
    .action(async (merchant: string, options: ShowOptions & { readonly since?: string }) => {
      const client = await cli.open();
      const path = `/merchants${pathOf(merchant)}/message-report`;
      const report = await client.get<Report>(path, { since: options.since });
      cli.show(options, report, () => reportText(report));
    });
}

function reportText(report: Report): string {
  const counts = details([
    ['sent', String(report.sent)],
    ['came back', String(report.bounced)],
    ['stopped by customers', String(report.stopped)],
  ]);
  const arms = report.currencies.flatMap((each) => [
    { currency: each.currency, name: 'with messages', arm: each.messages },
    { currency: each.currency, name: 'held out', arm: each.holdout },
  ]);
  const rows = table(
    arms,
    [
      { head: 'CURRENCY', text: ({ currency }) => currency },
      { head: 'PAYMENTS', text: ({ name }) => name },
      { head: 'N', text: ({ arm }) => String(arm.payments), align: 'right' },
      { head: 'OPEN', text: ({ arm }) => String(arm.open), align: 'right' },
      { head: 'RECOVERED', text: ({ arm }) => String(arm.recovered), align: 'right' },
      { head: 'RATE', text: ({ arm }) => rate(arm.recovered_rate) },
    ],
    'No payment has waited for a customer whose address was known.',
  );
  const texts = [...report.currencies.flatMap(verdictText), ...cardsText(report.cards)];
  return [counts, rows, ...texts].join('\n\n');
}

function cardsText(cards: Report['cards']): readonly string[] {
  if (cards === undefined) return [];
  const { messages, holdout, result, rate: difference } = cards;
  const of = ({ cards: all, kept, kept_rate }: typeof messages) =>
    `${kept} of ${all}${kept_rate === undefined ? '' : `, ${rate(kept_rate)}`}`;
  const verdict =
    result === undefined ? '' : ` ${cardWords[result]} Difference: ${rate(difference)}.`;
  return [
    `Expiring cards replaced in time: with messages ${of(messages)}; held out ${of(holdout)}.${verdict}`,
  ];
}

const cardWords = {
  more: 'Messages bring more new cards.',
  less: 'Messages bring fewer new cards.',
  not_significant: 'No difference shows yet.',
  too_few: 'Too few cards to say.',
} as const;

function verdictText({ currency, verdict }: Comparison): readonly string[] {
  if (verdict === undefined) return [];
  const words = verdictWords(verdict, { subject: 'messages recover', than: '' });
  return [`${currency}: ${words}. Difference of the rates: ${rate(verdict.rate)}.`];
}

function rate(figure: Figure | undefined): string {
  if (figure === undefined) return '';
  const { value, low, high } = figure;
  if (low === undefined || high === undefined) return percent(value);
  return `${percent(value)} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
