import type { BackTestRun } from '../../../backtest/back-test.ts';
import type { EpisodeCounts } from '../../../backtest/episodes.ts';
import type { PolicyVerdict, ShareOf } from '../../../backtest/judge-policy.ts';
import type { ReadReport } from '../../../backtest/read-history.ts';
import type { Estimate } from '../../../policy/evaluation/cluster-bootstrap.ts';
import type { OffPolicyEstimate, Refusal } from '../../../policy/evaluation/off-policy.ts';
import { table } from '../../table.ts';

export interface BackTestAnswer {
  readonly file: ReadReport;
  readonly counts: EpisodeCounts;
  readonly toleranceHours: number;
  readonly seed: number;
  readonly runs: readonly BackTestRun[];
}

/** A back-test in words and tables. */
export function backTestText(answer: BackTestAnswer): string {
  const { file, counts, runs, toleranceHours } = answer;
  return [
    fileText(file),
    `${count(counts.failures)} recoveries with ${count(counts.tries)} tries; ` +
      `${count(counts.paidAtOnce)} invoices were paid at once; left out: ` +
      `${count(counts.doubles)} doubles, ${count(counts.afterSuccess)} attempts after a success.`,
    ...runs.flatMap((run) => runTexts(run, toleranceHours)),
    "SNIPS and DR: the chance that a policy's next try succeeds (docs/backtest.md). Brackets: 95 %\n" +
      'intervals, clustered by payer. n: decisions or tries; ess: effective sample. A whole sequence\n' +
      "multiplies a payment's choices: it is weak evidence, a comparison of live traffic is strong.",
  ].join('\n\n');
}

function fileText(file: ReadReport): string {
  const faults = file.firstFaults.map(({ line, reason }) => `  line ${line}: ${reason}`);
  const reasons = Object.entries(file.reasons).map(([reason, times]) => `  ${times} x ${reason}`);
  const more = file.badRows - file.firstFaults.length;
  const zones =
    file.unknownZones === 0
      ? []
      : [`${count(file.unknownZones)} rows name no known time zone: UTC was taken.`];
  return [
    `Read as ${file.shape} ${file.format}: ${count(file.rows)} attempts, ${count(file.badRows)} bad rows.`,
    ...faults,
    ...(more > 0 ? [`  and ${count(more)} more; by reason:`, ...reasons] : []),
    ...zones,
  ].join('\n');
}

function runTexts(run: BackTestRun, toleranceHours: number): readonly string[] {
  const { windowDays, maxAttempts, logged, policies, decisions, sampledShare } = run;
  const sampled = sampledShare < 1 ? `, of which ${percent(sampledShare)} by payer were asked` : '';
  const warning =
    run.propensities === 'logged'
      ? 'The chances are those that the history gives.'
      : 'Warning: the history gives no propensities. The chance of each day was counted, as if days ' +
        'had been chosen\nwithout regard to the payer. Where they were not, SNIPS and DR are wrong.';
  return [
    `WINDOW ${windowDays} DAYS, ${maxAttempts} TRIES: ${count(decisions)} decisions${sampled}. ` +
      `The logged tries: ${shareText(logged)}.\n${warning}`,
    doneTable(policies, toleranceHours),
    claimTable(policies),
    ...refusalLines(policies),
  ];
}

function doneTable(policies: readonly PolicyVerdict[], toleranceHours: number): string {
  return table(
    policies,
    [
      { head: 'WOULD HAVE DONE', text: (row) => row.policy },
      { head: 'DECISIONS', text: (row) => count(row.decisions), align: 'right' },
      {
        head: 'TRIES AGAIN',
        text: (row) => percent(row.wouldTry / Math.max(1, row.decisions)),
        align: 'right',
      },
      { head: 'MEDIAN DAYS', text: (row) => row.medianDelayDays?.toFixed(1), align: 'right' },
      { head: `REPLAYED (${toleranceHours} H)`, text: (row) => shareText(row.replayed) },
      { head: 'FORGONE', text: (row) => shareText(row.forgone) },
    ],
    'none',
  );
}

function claimTable(policies: readonly PolicyVerdict[]): string {
  return table(
    policies,
    [
      { head: 'CAN BE CLAIMED', text: (row) => row.policy },
      { head: 'SNIPS', text: ({ perDecision }) => told(perDecision, ({ snips }) => snips) },
      { head: 'DR', text: ({ perDecision }) => told(perDecision, (item) => item.doublyRobust) },
      { head: 'OVER THE LOG', text: ({ perDecision }) => told(perDecision, ({ gain }) => gain) },
      { head: 'N', text: (row) => count(row.perDecision.decisions), align: 'right' },
      { head: 'ESS', text: ({ perDecision }) => essText(perDecision), align: 'right' },
      { head: 'SUPPORT', text: ({ perDecision }) => supportText(perDecision), align: 'right' },
      {
        head: 'WHOLE SEQUENCE (WEAK)',
        text: ({ wholeSequence }) =>
          `${told(wholeSequence, ({ snips }) => snips)} n ${count(wholeSequence.decisions)}`,
      },
    ],
    'none',
  );
}

function refusalLines(policies: readonly PolicyVerdict[]): readonly string[] {
  const lines = policies.flatMap(({ policy, perDecision, wholeSequence }) => [
    ...(perDecision.kind === 'refused' ? [`  ${policy}, next try: ${perDecision.message}`] : []),
    ...(wholeSequence.kind === 'refused'
      ? [`  ${policy}, whole sequence: ${wholeSequence.message}`]
      : []),
  ]);
  return lines.length === 0 ? [] : [['Not claimed:', ...lines].join('\n')];
}

function told(
  verdict: OffPolicyEstimate | Refusal,
  of: (estimate: OffPolicyEstimate) => Estimate | undefined,
): string {
  return verdict.kind === 'refused' ? 'refused' : intervalText(of(verdict));
}

function intervalText(estimate: Estimate | undefined): string {
  if (estimate === undefined) return 'no interval';
  const { value, low, high } = estimate;
  return `${points(value)} % [${points(low)}, ${points(high)}]`;
}

function essText(verdict: OffPolicyEstimate | Refusal): string {
  return verdict.effectiveSample === undefined ? '' : count(Math.round(verdict.effectiveSample));
}

function supportText(verdict: OffPolicyEstimate | Refusal): string {
  return verdict.kind === 'refused' ? '' : verdict.support.toFixed(2);
}

function shareText({ tries, succeeded, share }: ShareOf): string {
  if (share === undefined) return `${count(succeeded)} of n ${count(tries)}, no interval`;
  return `${intervalText(share)} n ${count(tries)}`;
}

function percent(share: number): string {
  return `${points(share)} %`;
}

function points(share: number): string {
  return (share * 100).toFixed(1);
}

/** With thin commas, as 1,234,567. */
function count(value: number): string {
  return value.toLocaleString('en-US');
}
