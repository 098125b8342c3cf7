import type { PolicyModel } from '../policy-model.ts';
import { type FlatTrees, flatTrees } from './boosted-trees.ts';
import { flatLogistic, logisticTerm } from './logistic-model.ts';

export interface MarginsWithout {
  /** The log odds of the row as it is. */
  readonly whole: number;
  /** By group: the log odds with its features at their means. */
  readonly without: Float64Array;
}

/**
 * What a row's log odds would be without the word of a group of features, for every group at once:
 * only the trees on whose way to their leaf a group stands are gone through again for it. `groupAt`
 * holds each feature's group, from 0 to 30, or -1 for none.
 */
export function marginsWithout(
  model: PolicyModel,
  row: Float64Array,
  groupAt: Int8Array,
  groups: number,
): MarginsWithout {
  const logistic = flatLogistic(model.logistic);
  const changes = new Float64Array(groups);
  let whole = model.logistic.intercept;
  for (let at = 0; at < groupAt.length; at += 1) {
    const term = logisticTerm(logistic, at, row[at] ?? 0);
    whole += term;
    const group = groupAt[at] ?? -1;
    // At its mean, a feature adds nothing.
    if (group >= 0) changes[group] = (changes[group] ?? 0) - term;
  }
  if (model.use === 'boosted') {
    whole += addTreeChanges(model, { row, groupAt, means: logistic.means }, changes);
  }
  return { whole, without: changes.map((change) => whole + change) };
}

interface Moved {
  readonly row: Float64Array;
  readonly groupAt: Int8Array;
  readonly means: Float64Array;
}

/** Adds by how much the trees' sum changes without each group, and gives the sum itself. */
function addTreeChanges({ trees }: PolicyModel, moved: Moved, changes: Float64Array): number {
  const flat = flatTrees(trees);
  const { splits, leaves } = flat;
  let sum = 0;
  for (let tree = 0; tree < trees.length; tree += 1) {
    const end = endOf(flat, tree, moved, -1);
    const value = leaves[tree * (splits + 1) + end - splits] ?? 0;
    sum += value;
    const met = groupsAbove(flat, tree, moved.groupAt, end);
    for (let group = 0; met >> group !== 0; group += 1) {
      if (((met >> group) & 1) === 0) continue;
      const other = leaves[tree * (splits + 1) + endOf(flat, tree, moved, group) - splits] ?? 0;
      changes[group] = (changes[group] ?? 0) + other - value;
    }
  }
  return sum;
}

/** Where a tree's way ends, with the features of one group (-1: of none) at their means. */
function endOf(
  { splits, features, thresholds }: FlatTrees,
  tree: number,
  { row, groupAt, means }: Moved,
  group: number,
): number {
  let node = 0;
  while (node < splits) {
    const split = tree * splits + node;
    const feature = features[split] ?? 0;
    const isMoved = group >= 0 && groupAt[feature] === group;
    const value = (isMoved ? means[feature] : row[feature]) ?? 0;
    node = 2 * node + (value > (thresholds[split] ?? 0) ? 2 : 1);
  }
  return node;
}

/** The groups that stand on the way to an end, as bits. */
function groupsAbove(
  { splits, features }: FlatTrees,
  tree: number,
  groupAt: Int8Array,
  end: number,
): number {
  let bits = 0;
  for (let node = end; node > 0; ) {
    node = (node - 1) >> 1;
    const group = groupAt[features[tree * splits + node] ?? 0] ?? -1;
    if (group >= 0) bits |= 1 << group;
  }
  return bits;
}
