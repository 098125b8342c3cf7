import type { RuleJson } from '../../api/generated/disputes.ts';

/** Rules that do not pass for one cause, which one remedy mends. */
export interface Cause {
  readonly result: RuleJson['result'];
  readonly fix: string;
  readonly rules: readonly RuleJson[];
}

/** The rules that do not pass, by what would make them pass: those that fail before those that lack something. */
export function causesOf(rules: readonly RuleJson[]): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const rule of rules) {
    if (rule.result === 'pass') continue;
    const { result, fix = rule.words } = rule;
    const key = `${result} ${fix}`;
    causes.set(key, { result, fix, rules: [...(causes.get(key)?.rules ?? []), rule] });
  }
  return [...causes.values()].sort((a, b) => a.result.localeCompare(b.result));
}
