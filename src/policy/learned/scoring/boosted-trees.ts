/** A complete binary tree: each level's splits from left to right, then the leaves' log odds. */
export interface BoostedTree {
  /** By split: the feature's place; -1 where all go left. */
  readonly features: readonly number[];
  /** By split: rows above it go right. */
  readonly thresholds: readonly number[];
  readonly leaves: readonly number[];
}

/** The sum of all trees' leaves for a row of features. */
export function boostedMargin(
  trees: readonly BoostedTree[],
  values: Float64Array | Float32Array,
  from = 0,
): number {
  const { splits, features, thresholds, leaves } = flatTrees(trees);
  let sum = 0;
  for (let tree = 0; tree < trees.length; tree += 1) {
    const base = tree * splits;
    let node = 0;
    while (node < splits) {
      const value = values[from + (features[base + node] ?? 0)] ?? 0;
      node = 2 * node + (value > (thresholds[base + node] ?? 0) ? 2 : 1);
    }
    sum += leaves[tree * (splits + 1) + node - splits] ?? 0;
  }
  return sum;
}

/** All trees of a model in a row: they are scored some dozen times for each plan. */
export interface FlatTrees {
  /** Of each tree. */
  readonly splits: number;
  readonly features: Uint8Array;
  readonly thresholds: Float64Array;
  readonly leaves: Float64Array;
}

const flats = new WeakMap<readonly BoostedTree[], FlatTrees>();

/** The flat form of a model's trees, made once for each list of trees. */
export function flatTrees(trees: readonly BoostedTree[]): FlatTrees {
  const known = flats.get(trees);
  if (known !== undefined) return known;
  const flat = {
    splits: trees[0]?.features.length ?? 0,
    features: Uint8Array.from(trees.flatMap((tree) => tree.features.map((at) => Math.max(0, at)))),
    // Where all go left, nothing is above the threshold.
    thresholds: Float64Array.from(
      trees.flatMap(({ features, thresholds }) =>
        thresholds.map((value, at) =>
          (features[at] ?? -1) < 0 ? Number.POSITIVE_INFINITY : value,
        ),
      ),
    ),
    leaves: Float64Array.from(trees.flatMap((tree) => tree.leaves)),
  };
  flats.set(trees, flat);
  return flat;
}
