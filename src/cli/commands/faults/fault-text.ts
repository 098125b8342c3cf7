import type { Proof } from '../../../faults/run/prove-planted.ts';
import type { SeedReply } from '../../../faults/run/run-seeds.ts';
import type { SeedReport } from '../../../faults/run/seed-report.ts';
import { table } from '../../table.ts';

export interface FaultTotals {
  readonly days: number;
  readonly payments: number;
  readonly replies: readonly SeedReply[];
}

/** Broken seeds that are told whole; of the others the rule alone. */
const maxReported = 3;
const maxLines = 25;
/** A month as the figures count it. */
const monthDays = 28;

/** A run in words: the sum of it, and how to see again what was broken. */
export function faultText({ days, payments, replies }: FaultTotals): string {
  const reports = replies.filter((reply) => 'hash' in reply);
  const broken = reports.filter((report) => report.violations.length > 0);
  const failed = replies.flatMap((reply) => ('failure' in reply ? [reply] : []));
  const sum = (count: (report: SeedReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  const debts = sum((report) => report.debts);
  const totals = [
    { name: 'seeds', count: reports.length },
    { name: 'payments', count: debts },
    { name: `payment-months of ${monthDays} days`, count: Math.floor((debts * days) / monthDays) },
    { name: 'charges', count: sum((report) => report.charges) },
    { name: 'successes', count: sum((report) => report.successes) },
    { name: 'packed into the archive', count: sum((report) => report.packed) },
    { name: 'put back from the archive', count: sum((report) => report.putBack) },
    { name: 'violations', count: sum((report) => report.violations.length) },
  ];
  const [only] = reports;
  return [
    table(
      totals,
      [
        { head: 'PLAYED', text: (row) => row.name },
        { head: 'COUNT', text: (row) => String(row.count), align: 'right' },
      ],
      'none',
    ),
    ...(reports.length === 1 && only !== undefined ? [`trace ${only.hash}`] : []),
    ...broken.slice(0, maxReported).map((report) => storyOf(report, { days, payments })),
    ...broken.slice(maxReported).map((report) => seedLine(report)),
    ...failed.map(({ seed, failure }) => `seed ${seed} could not be played: ${failure}`),
  ].join('\n\n');
}

/** One seed as it ends, so that a long run says where it is and what it found. */
export function seedLine(reply: SeedReply): string {
  if ('failure' in reply) return `seed ${reply.seed} could not be played: ${reply.failure}`;
  const { seed, tookMs, violations } = reply;
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  const verdict = rules.length === 0 ? 'ok' : `BROKEN ${rules.join('; ')}${otherwise(reply)}`;
  return `seed ${seed}: ${verdict} (${(tookMs / 1_000).toFixed(1)} s)`;
}

/** A seed is its trace: one that played otherwise the second time hangs on something beside it. */
function otherwise({ hash, againHash = hash }: SeedReport): string {
  return againHash === hash ? '' : ` (and played otherwise when replayed: trace ${againHash})`;
}

export function proofTable(proofs: readonly Proof[]): string {
  return table(
    proofs,
    [
      { head: 'PLANTED', text: (proof) => proof.name },
      { head: 'SEED', text: (proof) => proof.caught?.seed.toString(), align: 'right' },
      { head: 'DAYS', text: (proof) => proof.caught?.days.toString(), align: 'right' },
      { head: 'PAYMENTS', text: (proof) => proof.caught?.payments.toString(), align: 'right' },
      { head: 'BROKEN PROMISE', text: (proof) => proof.caught?.rules.join('; ') ?? 'not seen' },
    ],
    'none',
  );
}

function storyOf(
  report: SeedReport,
  { days, payments }: Pick<FaultTotals, 'days' | 'payments'>,
): string {
  const again = `--seed ${report.seed} --days ${days} --payments ${payments}`;
  return [
    `seed ${report.seed}, trace ${report.hash}${otherwise(report)}:`,
    ...report.violations.map(({ rule, words }) => `  ${rule}: ${words}`),
    '  the end of its trace:',
    ...report.last.slice(-maxLines).map((line) => `    ${line}`),
    `  again: recoup simulate faults ${again} --trace seed-${report.seed}.txt`,
  ].join('\n');
}
