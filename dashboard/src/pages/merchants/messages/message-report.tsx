import type {
  MessageArmJson,
  MessageComparisonJson,
  MessageReportJson,
} from '../../../api/generated/messages.ts';
import { count, formatCount } from '../../../parts/count.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { formatShare } from '../../../parts/percent.ts';
import {
  amountInterval,
  type Compared,
  rateText,
  verdictAmount,
  verdictText,
} from '../../../parts/verdict-text.ts';

/** Recovered with messages and without, in each currency, and how sure that is. */
export function MessageReport({ report }: { readonly report: MessageReportJson }) {
  if (report.currencies.length === 0 && report.cards === undefined) return null;
  const counts = [
    count(report.sent, 'message was sent', 'messages were sent'),
    `${formatCount(report.bounced)} came back`,
    `${count(report.stopped, 'customer wants', 'customers want')} no more`,
  ];
  return (
    <>
      <p>{counts.join(', ')}.</p>
      {report.currencies.map((each) => (
        <Comparison key={each.currency} comparison={each} />
      ))}
      {report.cards !== undefined && <Cards cards={report.cards} />}
    </>
  );
}

function Comparison({ comparison }: { readonly comparison: MessageComparisonJson }) {
  const { currency, messages, holdout, verdict } = comparison;
  const rows = [
    { name: 'With messages', arm: messages },
    { name: 'Held out', arm: holdout },
  ];
  const interval = verdict && amountInterval(verdict, currency);
  return (
    <section aria-label={`With messages and without, ${currency}`}>
      <h3>
        {verdict === undefined ? 'Nothing to compare with yet' : verdictText(verdict, compared)}
      </h3>
      {verdict !== undefined && (
        <p className="muted">
          {verdictAmount(verdict, currency)}
          {interval !== undefined && ` (${interval})`} beyond what the holdout’s rate would have
          brought; rates: {rateText(verdict)}
        </p>
      )}
      <DataTable
        name={`Recovered with messages and without, ${currency}`}
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Payments', cell: ({ name }) => name },
          { name: 'Number', align: 'right', cell: ({ arm }) => formatCount(arm.payments) },
          { name: 'Open', align: 'right', cell: ({ arm }) => formatCount(arm.open) },
          { name: 'Recovered', align: 'right', cell: ({ arm }) => formatCount(arm.recovered) },
          { name: 'Rate', cell: ({ arm }) => figureText(arm.recovered_rate) },
        ]}
      />
    </section>
  );
}

/** Cards that end before they are charged again: replaced in time with messages, and without. */
function Cards({ cards }: { readonly cards: NonNullable<MessageReportJson['cards']> }) {
  const { messages, holdout, result, rate } = cards;
  const rows = [
    { name: 'With messages', arm: messages },
    { name: 'Held out', arm: holdout },
  ];
  return (
    <section aria-label="Expiring cards, with messages and without">
      <h3>
        Expiring cards: {result === undefined ? 'nothing to compare with yet' : cardWords[result]}
      </h3>
      {rate !== undefined && <p className="muted">Difference of the rates: {rateText({ rate })}</p>}
      <DataTable
        name="Expiring cards replaced in time, with messages and without"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Cards', cell: ({ name }) => name },
          { name: 'Number', align: 'right', cell: ({ arm }) => formatCount(arm.cards) },
          { name: 'Open', align: 'right', cell: ({ arm }) => formatCount(arm.open) },
          { name: 'Replaced', align: 'right', cell: ({ arm }) => formatCount(arm.kept) },
          { name: 'Rate', cell: ({ arm }) => figureText(arm.kept_rate) },
        ]}
      />
    </section>
  );
}

const cardWords = {
  more: 'messages bring more new cards',
  less: 'messages bring fewer new cards',
  not_significant: 'not significant yet',
  too_few: 'too few customers to say',
} as const;

const compared: Compared = { subject: 'Messages recover', than: '' };

function figureText(rate: MessageArmJson['recovered_rate']): string {
  if (rate === undefined) return 'none yet';
  const { value, low, high } = rate;
  const share = formatShare(value, 1);
  if (low === undefined || high === undefined) return share;
  return `${share} (${formatShare(low, 1)} to ${formatShare(high, 1)})`;
}
