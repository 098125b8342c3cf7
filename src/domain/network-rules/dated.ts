import type { RuleSource } from './rule-sources.ts';

/** When something is in force: from the start of one UTC day until the start of another. */
export interface Dated {
  /** An ISO date; without it since before the pack begins. */
  readonly from?: string;
  /** An ISO date, the first on which it no longer holds; without it still in force. */
  readonly until?: string;
}

/** One figure of a network, as a source gives it. */
export interface Figure<Value> extends Dated {
  readonly value: Value;
  readonly source: RuleSource;
  /** What was decided, where sources disagree or say less than we need. */
  readonly why?: string;
}

/** The one that is in force at `at`; undefined where none is. */
export function inForce<Item extends Dated>(items: readonly Item[], at: Date): Item | undefined {
  return items.find((item) => {
    const begun = item.from === undefined || at.getTime() >= Date.parse(item.from);
    return begun && (item.until === undefined || at.getTime() < Date.parse(item.until));
  });
}
