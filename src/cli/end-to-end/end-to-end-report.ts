import { reportText } from '../commands/policies/report.ts';
import { shareText } from '../share-text.ts';
import { table } from '../table.ts';
import type { ArmFigures } from './compare-arms.ts';
import type { EndToEndResult, LearnedStep } from './run-end-to-end.ts';

/** Both arms as a table, how far apart they are, and the models that planned. */
export function endToEndReport(result: EndToEndResult, fixedDays: readonly number[]): string {
  const { learned, holdout, difference, amountDifference, models, breaches, steps, uplift } =
    result;
  const arms = [
    { name: 'learned', ...learned },
    { name: `holdout (days ${fixedDays.join(', ')})`, ...holdout },
  ];
  const active = models.find(({ status }) => status === 'active');
  return [
    table(
      arms,
      [
        { head: 'ARM', text: (row) => row.name },
        { head: 'PAYMENTS', text: (row) => String(row.payments), align: 'right' },
        { head: 'RECOVERED', text: (row) => shareText(row.share), align: 'right' },
        { head: 'AMOUNT', text: (row) => shareText(row.amountShare), align: 'right' },
        { head: 'TRIES', text: (row) => triesPer(row), align: 'right' },
        { head: 'PER RECOVERY', text: (row) => row.triesPerRecovery?.toFixed(2), align: 'right' },
      ],
      'none',
    ),
    `Learned less holdout: ${points(difference)} of payments, ${points(amountDifference)} of the amount (95 %).`,
    `${models.length} models, ${active?.id ?? 'none'} plans${active?.alert === undefined ? '' : ` (${active.alert})`}. ` +
      `${breaches} breaches of the engine's promises.`,
    ...(steps.length === 0 ? [] : [steps.map(stepText).join('\n')]),
    reportText(uplift),
  ].join('\n\n');
}

function stepText({ day, from, to, message }: LearnedStep): string {
  return `Day ${day}: the learned policy plans ${to * 100} % instead of ${from * 100} %. ${message}`;
}

function triesPer({ tries, payments }: ArmFigures): string {
  return payments === 0 ? '' : (tries / payments).toFixed(2);
}

function points(item: {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}): string {
  const text = (share: number) => (share * 100).toFixed(1);
  return `${text(item.value)} points (${text(item.low)} to ${text(item.high)})`;
}
