import { metricsInUse, type PolicyModel } from '../../src/policy/learned/policy-model.ts';
import type { Comparison } from './compare.ts';
import { difference, type Figure, gapClosed, recoveredShare } from './intervals.ts';
import type { Result } from './setting.ts';

export interface PageInput {
  readonly comparisons: readonly Comparison[];
  readonly coldStarts: readonly Comparison[];
  readonly model: PolicyModel;
}

/** docs/policy-worlds.md: what each policy came to, with losing results. */
export function page({ comparisons, coldStarts, model }: PageInput): string {
  const whole = comparisons.filter(({ all }) => all.length > 4);
  const judged = metricsInUse(model);
  return [
    intro(),
    '## The gap to the clairvoyant\n',
    table(
      [
        'world',
        'tries',
        'days',
        'best fixed',
        'fixed',
        'learned',
        'clairvoyant',
        'gap closed, failures',
        'gap closed, amount',
        'tries per recovery, learned / fixed',
        'refused',
      ],
      comparisons.map(gapRow),
    ),
    '\n## Cold start\n\nThe shipped prior alone, nothing learned yet, on the first failures of a new merchant.\n',
    table(
      ['world', 'failures', 'best fixed', 'fixed', 'prior', 'difference'],
      coldStarts.map(coldRow),
    ),
    ...whole.map((comparison) => everyPolicy(comparison)),
    `\n![Shares recovered](policy-worlds.svg)\n`,
    '## The model\n',
    `Trained on ${model.rows} tries of the training world, begun from the prior: at random hours, and then at those that a first model chose. On held-out payments (${judged.rows} tries): log loss ${judged.logLoss.toFixed(4)}, area under the curve ${judged.auc.toFixed(3)}, calibration error ${judged.calibrationError.toFixed(4)}; ${model.use === 'boosted' ? 'boosted trees on the logistic model' : 'the logistic model'} won.\n`,
    table(
      ['group', 'tries', 'predicted', 'succeeded'],
      judged.calibration.map(({ rows, foretold, observed }, at) => [
        String(at + 1),
        String(rows),
        percent(foretold),
        percent(observed),
      ]),
    ),
    '',
  ].join('\n');
}

function intro(): string {
  return `# Retry policies compared

Made by \`npm run bench -- policy\`; do not edit. All figures are of simulated worlds
(docs/simulator.md): read differences, not levels.

- **best fixed**: the schedule that recovers most in the training world, for each budget and window.
- **learned**: the service's own planner (\`src/policy/learned/\`), its model trained on tries of the
  training world, at random hours and then at those that a first model chose; **prior only**: with the
  model that ships.
- **clairvoyant**: knows all that is hidden and each try's luck, behind the same gates: nobody does better.
- **gap closed**: (policy - best fixed) / (clairvoyant - best fixed).
- Other seeds than in training everywhere; worlds other than \`base\` have other figures too. In
  \`no calendar\` funds come back once, on any day. Recovered counts payments that payers made themselves.
- ± is the half width of a 95 % interval; payers are the independent units, and the same for all policies.
- **refused**: tries that a network's rule stopped, though a policy asked for them; nothing ever breaks a rule.
`;
}

function gapRow({ setting, fixed, learned, bound }: Comparison): readonly string[] {
  const three = { policy: learned, fixed, bound };
  const ratio = perRecovery(learned) / perRecovery(fixed);
  return [
    setting.world.name,
    String(setting.maxAttempts),
    String(setting.windowDays),
    fixed.policy,
    told(recoveredShare(fixed, 'count')),
    told(recoveredShare(learned, 'count')),
    told(recoveredShare(bound, 'count')),
    told(gapClosed(three, 'count'), 0),
    told(gapClosed(three, 'amount'), 0),
    `${perRecovery(learned).toFixed(2)} / ${perRecovery(fixed).toFixed(2)} = ${ratio.toFixed(2)}`,
    String(learned.refusals),
  ];
}

function coldRow({ setting, fixed, learned }: Comparison): readonly string[] {
  return [
    setting.world.name,
    String(setting.failures * setting.seeds.length),
    fixed.policy,
    told(recoveredShare(fixed, 'count')),
    told(recoveredShare(learned, 'count')),
    told(difference(learned, fixed)),
  ];
}

function everyPolicy({ setting, all }: Comparison): string {
  const { world, maxAttempts, windowDays, seeds, failures } = setting;
  const head = `\n## Every policy: ${world.name}, ${maxAttempts} tries in ${windowDays} days\n\n${seeds.length} seeds of ${failures} failures.\n\n`;
  return (
    head +
    table(
      [
        'policy',
        'recovered',
        'amount',
        'tries per failure',
        'per recovery',
        'mean days',
        'cancelled',
        'fee per failure',
      ],
      [...all]
        .sort((a, b) => recoveredShare(a, 'count').value - recoveredShare(b, 'count').value)
        .map((result) => {
          const count = result.recovered.length;
          const recovered = result.recovered.reduce((sum, value) => sum + value, 0);
          return [
            result.policy,
            told(recoveredShare(result, 'count')),
            told(recoveredShare(result, 'amount')),
            (result.tries / count).toFixed(2),
            result.byRetry === 0 ? '' : perRecovery(result).toFixed(2),
            (result.days / recovered).toFixed(1),
            percent(result.cancelled / count),
            (result.feesMicros / count / 1_000_000).toFixed(3),
          ];
        }),
    )
  );
}

/** Tries for each payment that a retry recovered. */
function perRecovery({ tries, byRetry }: Result): number {
  return tries / Math.max(1, byRetry);
}

function told({ value, half }: Figure, digits = 1): string {
  return `${(value * 100).toFixed(digits)} ± ${(half * 100).toFixed(digits)} %`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
