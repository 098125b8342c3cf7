import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertKinds } from '../../src/domain/alerts/alert-kinds.ts';
import { createMetrics } from '../../src/metrics.ts';
import { controlPromises } from '../../src/recovery/accounting/show-invariants.ts';
import { checkedPromises } from '../../src/store/invariants/invoice-promises.ts';
import { readText } from '../kits/source-files.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const { groups } = parse(readText('deploy/prometheus/recoup-alerts.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readText('deploy/grafana/recoup.json')) as {
  readonly panels: readonly Panel[];
};
const runbooks = readText('docs/runbooks.md');

/** Every metric that a process has, with its labels as they are declared. */
const text = await createMetrics().text();
const kinds = new Map(
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
);

/** The metrics that an expression names. */
function metricsOf(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(recoup_\w+|process_\w+|nodejs_\w+)/g)].map(([name]) => name);
}

function isMeasured(name: string): boolean {
  if (kinds.has(name)) return true;
  return name.endsWith('_bucket') && kinds.get(name.slice(0, -'_bucket'.length)) === 'histogram';
}

it.each(Object.entries(alertKinds))(
  '%s, which Recoup tells, has its runbook',
  (_kind, { runbook }) => {
    expect(runbooks).toContain(`\n## ${runbook}\n`);
  },
);

const noDifferences = { differences: [], moneyDiffers: 0, eventsDiffer: 0 };

it.each([...controlPromises(noDifferences), ...checkedPromises])(
  'the runbook of a broken check says what $name is',
  ({ name, promise }) => {
    const [, section = ''] = runbooks.split('\n## RecoupInvariantBroken\n');
    const [own = ''] = section.split('\n## ');
    expect(own).toContain(`| \`${name}\` | ${promise} |`);
  },
);

it.each(rules)('$alert reads what is measured, and has its runbook', ({ alert, expr, ...rule }) => {
  const names = metricsOf(expr);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !isMeasured(name))).toEqual([]);
  expect(['page', 'ticket']).toContain(rule.labels.severity);
  expect(rule.annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  const [, section = ''] = runbooks.split(`\n## ${alert}\n`);
  const [own = ''] = section.split('\n## ');
  expect(own).toContain(rule.annotations.summary);
  for (const part of ['What it means', 'What to look at', 'What to do']) {
    expect(own).toMatch(new RegExp(`^\\*\\*${part}\\.\\*\\* .{20,}`, 'm'));
  }
});

describe('the alerts', () => {
  it('have names of their own, and no runbook is without one', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const headings = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    const told = Object.values(alertKinds).map(({ runbook }) => runbook);
    expect(headings.slice(0, names.length)).toEqual(names);
    expect(headings.slice(names.length)).toEqual([
      ...new Set(told.filter((name) => !names.includes(name))),
    ]);
  });

  // Prometheus sees no growth in a series that begins with its first event, and no sum of none.
  it('find each counter at zero before anything is counted', () => {
    const series = text.split('\n').filter((line) => line.endsWith(' 0'));
    const asked = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(recoup_\w+_total)(?:\{(\w+="\w+")\})?/g)].filter(
        ([whole]) => !whole.startsWith('recoup_http_'),
      ),
    );
    expect(asked.length).toBeGreaterThan(8);
    const absent = asked.filter(
      ([, name = '', label = '']) =>
        !series.some((line) => line.startsWith(name) && line.includes(label)),
    );
    expect(absent.map(([whole]) => whole)).toEqual([]);
  });

  it('read a counter only as what it grew by', () => {
    const bare = rules.flatMap(({ expr }) =>
      metricsOf(expr).filter(
        (name) => name.endsWith('_total') && !new RegExp(`(rate|increase)\\(${name}\\b`).test(expr),
      ),
    );
    expect(bare).toEqual([]);
  });

  // What nobody has to act on by itself, or what another alert is made of.
  const quiet = [
    'recoup_in_flight',
    'recoup_loop_delay_seconds',
    'recoup_clock_uncertainty_seconds',
  ];
  it('cover every metric of ours that a person must act on', () => {
    const read = new Set(
      rules.flatMap(({ expr }) => metricsOf(expr)).map((name) => name.replace(/_bucket$/, '')),
    );
    const ours = [...kinds.keys()].filter((name) => name.startsWith('recoup_'));
    expect(ours.filter((name) => !read.has(name)).toSorted()).toEqual(quiet.toSorted());
  });
});

it.each(panels)('the panel $title shows what is measured', ({ targets }) => {
  const names = targets.flatMap(({ expr }) => metricsOf(expr));
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !isMeasured(name))).toEqual([]);
});

it('every metric of ours that an alert reads is shown by a panel', () => {
  const shown = new Set(
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr))),
  );
  const read = new Set(rules.flatMap(({ expr }) => metricsOf(expr)));
  const ours = [...read].filter((name) => name.startsWith('recoup_'));
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});
