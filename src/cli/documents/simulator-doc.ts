import { acceptanceTargets } from '../../simulator/acceptance.ts';
import type { ParameterRow } from '../../simulator/parameter-row.ts';
import { parameterRows } from '../../simulator/parameters.ts';
import { markdownTable } from './markdown-table.ts';

const head = `# Simulator

Generated from \`src/simulator/\` by \`npm run generate\`; do not edit.

\`npm run recoup -- simulate\` plays the recovery of simulated failed payments under several retry
policies and compares them. Nothing is charged and no service is asked. The policies go behind the
service's own gates and network rules, and the fixed schedules are planned by the service's own code.

- **The world is made from its seed.** The same seed gives the same failures.
- **Policies meet the same luck.** What happens to a payer at an hour is drawn from the seed, the
  payer and the hour, never from the order of calls. Two policies that try at the same hour get the
  same answer; only the issuer's dislike of many tries depends on what was tried before.
- **A policy sees what a merchant sees:** codes, advice, times, amount, network, kind of card, and
  that the card was replaced. It never sees why a charge failed.
- **The first failure is given.** The world begins at it, with the causes below, spread over 2027.
- **Times are the payer's own**, in whole hours.
- **Mails are always sent.** A payer who answers one pays with another method and leaves the recovery;
  \`none\` shows what that alone recovers.
- **NET** is the recovered amount less all fees, and less the worth of the subscribers who cancelled
  beyond those that cancel under \`none\`, as a share of the failed amount.

Read differences between policies, not levels: the levels were fitted to the targets below. Rows that
are marked as guesses decide how large the differences are.
`;

/** docs/simulator.md: every figure of the simulated world, with its source or the mark of a guess. */
export function renderSimulatorDoc(): string {
  const rows: readonly ParameterRow<object>[] = Object.values(parameterRows);
  return [
    head,
    '## Parameters\n',
    markdownTable(
      ['row', 'block', 'what it says', 'figures', 'source', 'guess'],
      rows.filter(({ usedBy }) => usedBy === 'world').map(parameterCells),
    ),
    '## Not in this world\n',
    'Figures for runs of the whole service against a simulated PSP, and variants; no result of\n`simulate` depends on them.\n',
    markdownTable(
      ['row', 'block', 'what it says', 'figures', 'source', 'guess'],
      rows.filter(({ usedBy }) => usedBy === 'engine').map(parameterCells),
    ),
    '## Targets\n',
    'What the world must show to be believed, in bands around published figures. `simulate` prints what\nit shows; the tests hold it to them.\n',
    markdownTable(
      ['target', 'from', 'to', 'published by'],
      Object.values(acceptanceTargets).map(({ name, low, high, source }) => [
        name,
        String(low),
        String(high),
        source,
      ]),
    ),
  ].join('\n');
}

function parameterCells(item: ParameterRow<object>): readonly string[] {
  const figures = Object.entries(item.values).map(([name, value]) => `${name} ${String(value)}`);
  return [
    String(item.row),
    item.block,
    item.words,
    figures.join('; '),
    item.source ?? '',
    item.guess === true ? 'guess' : '',
  ];
}
