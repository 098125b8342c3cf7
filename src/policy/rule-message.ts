import type { Blocked } from '../domain/network-rules/judge-charge.ts';

/** A refusal of a network's rule as a line: what it is, its id, until when, and its source. */
export function ruleMessage({ rule, until }: Pick<Blocked, 'rule' | 'until'>): string {
  const end = until === undefined ? 'for good' : `until ${until.toISOString()}`;
  return `${rule.words} [${rule.id}, ${end}; source: ${rule.source}]`;
}
