import type { PolicyModel } from '../policy-model.ts';
import { type FlatTrees, flatTrees } from './boosted-trees.ts';
import { flatLogistic, logisticTerm } from './logistic-model.ts';

/** The log odds of rows that agree in all features but those that vary. */
export type SlotMargin = (row: Float64Array) => number;

/**
 * Evaluates a model as far as the features that are the same for every slot of a decision allow: their
 * terms are summed, and the trees keep only the splits that a slot can still decide. `base` holds
 * those features, `varying` the places of the others.
 */
export function openSlotMargin(
  model: PolicyModel,
  base: Float64Array,
  varying: Uint8Array,
  arrays: { trees?: PrunedTrees } = {},
): SlotMargin {
  const isVarying = new Uint8Array(base.length);
  for (let place = 0; place < varying.length; place += 1) isVarying[varying[place] ?? 0] = 1;
  const logistic = flatLogistic(model.logistic);
  let constant = model.logistic.intercept;
  for (let at = 0; at < base.length; at += 1) {
    if (isVarying[at] === 0) constant += logisticTerm(logistic, at, base[at] ?? 0);
  }
  const trees = model.use === 'boosted' ? roomFor(flatTrees(model.trees), arrays) : undefined;
  if (trees !== undefined) prune({ flat: flatTrees(model.trees), base, isVarying }, trees);
  return (row) => {
    let sum = constant;
    for (let place = 0; place < varying.length; place += 1) {
      const at = varying[place] ?? 0;
      sum += logisticTerm(logistic, at, row[at] ?? 0);
    }
    return trees === undefined ? sum : sum + prunedMargin(trees, row);
  };
}

/** Trees without the splits that are decided. Places below 0 are leaves: -1 is the first one. */
export interface PrunedTrees {
  readonly roots: Int16Array;
  readonly features: Uint8Array;
  readonly thresholds: Float64Array;
  readonly lefts: Int16Array;
  readonly rights: Int16Array;
  readonly leaves: Float64Array;
  /** Splits that are kept. */
  size: number;
}

/** The room of before where it was of the same trees. */
function roomFor(flat: FlatTrees, arrays: { trees?: PrunedTrees }): PrunedTrees {
  if (arrays.trees?.leaves !== flat.leaves) arrays.trees = emptyTrees(flat);
  return arrays.trees;
}

function emptyTrees(flat: FlatTrees): PrunedTrees {
  const count = flat.splits === 0 ? 0 : flat.features.length / flat.splits;
  const max = flat.features.length;
  // One buffer, the widest numbers first: each costs more than its filling.
  const buffer = new ArrayBuffer(max * 13 + count * 2);
  return {
    thresholds: new Float64Array(buffer, 0, max),
    lefts: new Int16Array(buffer, max * 8, max),
    rights: new Int16Array(buffer, max * 10, max),
    roots: new Int16Array(buffer, max * 12, count),
    features: new Uint8Array(buffer, max * 12 + count * 2, max),
    leaves: flat.leaves,
    size: 0,
  };
}

function prune(decided: Decided, kept: PrunedTrees): void {
  kept.size = 0;
  for (let tree = 0; tree < kept.roots.length; tree += 1) {
    kept.roots[tree] = keep(decided, kept, tree, 0);
  }
}

interface Decided {
  readonly flat: FlatTrees;
  readonly base: Float64Array;
  readonly isVarying: Uint8Array;
}

/** Keeps what is undecided below a split of a tree, and gives its place. */
function keep(decided: Decided, kept: PrunedTrees, tree: number, from: number): number {
  const { flat, base, isVarying } = decided;
  const { splits, features, thresholds } = flat;
  let node = from;
  while (node < splits) {
    const split = tree * splits + node;
    const feature = features[split] ?? 0;
    const threshold = thresholds[split] ?? 0;
    if (isVarying[feature] === 1) {
      const place = kept.size;
      kept.size += 1;
      kept.features[place] = feature;
      kept.thresholds[place] = threshold;
      kept.lefts[place] = keep(decided, kept, tree, 2 * node + 1);
      kept.rights[place] = keep(decided, kept, tree, 2 * node + 2);
      return place;
    }
    node = 2 * node + ((base[feature] ?? 0) > threshold ? 2 : 1);
  }
  return -1 - (tree * (splits + 1) + node - splits);
}

function prunedMargin(trees: PrunedTrees, row: Float64Array): number {
  const { roots, features, thresholds, lefts, rights, leaves } = trees;
  let sum = 0;
  for (let tree = 0; tree < roots.length; tree += 1) {
    let at = roots[tree] ?? -1;
    while (at >= 0) {
      const isRight = (row[features[at] ?? 0] ?? 0) > (thresholds[at] ?? 0);
      at = (isRight ? rights[at] : lefts[at]) ?? -1;
    }
    sum += leaves[-1 - at] ?? 0;
  }
  return sum;
}
