import { rounded } from '../rounded.ts';
import type { BoostedTree } from '../scoring/boosted-trees.ts';
import type { Matrix } from './logistic.ts';

export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly learningRate: number;
  /** The pull of each leaf to 0. */
  readonly penalty: number;
  /** Weight of the curvature that a leaf needs. */
  readonly minLeaf: number;
  /** Rows that each tree looks at, by turns. */
  readonly rowsPerTree: number;
}

export const defaultBoosting: BoostingOptions = {
  trees: 24,
  depth: 4,
  learningRate: 0.2,
  penalty: 5,
  minLeaf: 8,
  rowsPerTree: 120_000,
};

const maxBins = 32;

export interface BoostInput {
  readonly matrix: Matrix;
  readonly rows: Uint32Array;
  /** Rows on which the number of trees is chosen. */
  readonly tuneRows: Uint32Array;
  /** Log odds of all rows of the matrix to begin at. */
  readonly margins: Float64Array;
  readonly options: BoostingOptions;
}

/** Trees on histograms of binned features, by Newton's leaves; as many as help the tuning rows. */
export function boost(input: BoostInput): readonly BoostedTree[] {
  const { matrix, rows, tuneRows, options } = input;
  const margins = Float64Array.from(input.margins);
  const edges = binEdges(matrix, rows);
  const binned = binRows(matrix, edges);
  const trees: BoostedTree[] = [];
  let best = { loss: lossOf(matrix, tuneRows, margins), count: 0 };
  for (let count = 1; count <= options.trees; count += 1) {
    const turn = turnOf(rows, count, options.rowsPerTree);
    const tree = growTree({ matrix, rows: turn, margins, edges, binned, options });
    trees.push(tree);
    const { values, columns } = matrix;
    for (const row of rows)
      margins[row] = (margins[row] ?? 0) + leafOf(tree, values, row * columns);
    for (const row of tuneRows) {
      margins[row] = (margins[row] ?? 0) + leafOf(tree, values, row * columns);
    }
    const loss = lossOf(matrix, tuneRows, margins);
    if (loss < best.loss) best = { loss, count };
    else if (count - best.count >= 12) break;
  }
  return trees.slice(0, best.count);
}

function leafOf(tree: BoostedTree, values: Float64Array | Float32Array, from: number): number {
  const { features, thresholds, leaves } = tree;
  const splits = features.length;
  let node = 0;
  while (node < splits) {
    const feature = features[node] ?? -1;
    const goesRight = feature >= 0 && (values[from + feature] ?? 0) > (thresholds[node] ?? 0);
    node = 2 * node + (goesRight ? 2 : 1);
  }
  return leaves[node - splits] ?? 0;
}

/** Each tree sees another stretch of the rows; they are in order of time, so strides mix it. */
function turnOf(rows: Uint32Array, count: number, max: number): Uint32Array {
  if (rows.length <= max) return rows;
  const turn = new Uint32Array(max);
  const stride = rows.length / max;
  const offset = (count * 0.618034) % 1;
  for (let at = 0; at < max; at += 1) {
    turn[at] = rows[Math.min(rows.length - 1, Math.floor((at + offset) * stride))] ?? 0;
  }
  return turn;
}

function lossOf({ outcomes, weights }: Matrix, rows: Uint32Array, margins: Float64Array): number {
  let [loss, total] = [0, 0];
  for (const row of rows) {
    const margin = (outcomes[row] === 1 ? 1 : -1) * (margins[row] ?? 0);
    const weight = weights[row] ?? 1;
    loss +=
      weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin);
    total += weight;
  }
  return loss / Math.max(total, 1e-9);
}

/** Edges between bins, by quantiles of a sample; a value belongs to the first edge it is not above. */
function binEdges({ values, columns }: Matrix, rows: Uint32Array): readonly Float32Array[] {
  const sample = turnOf(rows, 1, 20_000);
  return Array.from({ length: columns }, (_, column) => {
    const sorted = Float32Array.from(sample, (row) => values[row * columns + column] ?? 0).sort();
    const edges = new Set<number>();
    for (let bin = 1; bin < maxBins; bin += 1) {
      const value = sorted[Math.floor((bin * sorted.length) / maxBins)] ?? 0;
      if (value < (sorted.at(-1) ?? 0)) edges.add(value);
    }
    return Float32Array.from(edges).sort();
  });
}

/** Row by row, as they lie: column by column each value would be fetched from memory anew. */
function binRows({ values, columns }: Matrix, edges: readonly Float32Array[]): Uint8Array {
  const binned = new Uint8Array(values.length);
  for (let from = 0; from < values.length; from += columns) {
    for (let column = 0; column < columns; column += 1) {
      binned[from + column] = binOf(edges[column] ?? noEdges, values[from + column] ?? 0);
    }
  }
  return binned;
}

const noEdges = new Float32Array();

function binOf(edges: Float32Array, value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > (edges[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface GrowInput {
  readonly matrix: Matrix;
  readonly rows: Uint32Array;
  readonly margins: Float64Array;
  readonly edges: readonly Float32Array[];
  readonly binned: Uint8Array;
  readonly options: BoostingOptions;
}

function growTree(input: GrowInput): BoostedTree {
  const { matrix, rows, margins, edges, binned, options } = input;
  const { columns, outcomes, weights } = matrix;
  const slopes = new Float64Array(rows.length);
  const curves = new Float64Array(rows.length);
  rows.forEach((row, at) => {
    const chance = 1 / (1 + Math.exp(-(margins[row] ?? 0)));
    const weight = weights[row] ?? 1;
    slopes[at] = weight * ((outcomes[row] ?? 0) - chance);
    curves[at] = weight * chance * (1 - chance);
  });
  const nodes = new Uint8Array(rows.length);
  const features: number[] = [];
  const thresholds: number[] = [];
  for (let level = 0; level < options.depth; level += 1) {
    const sums = histogram({ rows, binned, columns, nodes, count: 2 ** level, slopes, curves });
    const splits = Array.from({ length: 2 ** level }, (_, node) =>
      bestSplit(sums, node, { columns, edges, options }),
    );
    for (const { feature, bin } of splits) {
      features.push(feature);
      thresholds.push(feature < 0 ? 0 : (edges[feature]?.[bin] ?? 0));
    }
    rows.forEach((row, at) => {
      const split = splits[nodes[at] ?? 0];
      const right =
        split !== undefined &&
        split.feature >= 0 &&
        (binned[row * columns + split.feature] ?? 0) > split.bin;
      nodes[at] = 2 * (nodes[at] ?? 0) + (right ? 1 : 0);
    });
  }
  return { features, thresholds, leaves: leafValues(nodes, slopes, curves, options) };
}

function leafValues(
  nodes: Uint8Array,
  slopes: Float64Array,
  curves: Float64Array,
  { depth, penalty, learningRate }: BoostingOptions,
): readonly number[] {
  const up = new Float64Array(2 ** depth);
  const down = new Float64Array(2 ** depth);
  nodes.forEach((leaf, at) => {
    up[leaf] = (up[leaf] ?? 0) + (slopes[at] ?? 0);
    down[leaf] = (down[leaf] ?? 0) + (curves[at] ?? 0);
  });
  return Array.from(up, (sum, leaf) =>
    rounded((learningRate * sum) / ((down[leaf] ?? 0) + penalty)),
  );
}

interface HistogramInput {
  readonly rows: Uint32Array;
  readonly binned: Uint8Array;
  readonly columns: number;
  readonly nodes: Uint8Array;
  readonly count: number;
  readonly slopes: Float64Array;
  readonly curves: Float64Array;
}

/** Sums of slopes and curves by node, feature and bin, side by side. */
function histogram(input: HistogramInput): Float64Array {
  const { rows, binned, columns, nodes, count, slopes, curves } = input;
  const sums = new Float64Array(count * columns * maxBins * 2);
  for (let at = 0; at < rows.length; at += 1) {
    const begin = (rows[at] ?? 0) * columns;
    const base = (nodes[at] ?? 0) * columns * maxBins * 2;
    const slope = slopes[at] ?? 0;
    const curve = curves[at] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const place = base + (column * maxBins + (binned[begin + column] ?? 0)) * 2;
      sums[place] = (sums[place] ?? 0) + slope;
      sums[place + 1] = (sums[place + 1] ?? 0) + curve;
    }
  }
  return sums;
}

function bestSplit(
  sums: Float64Array,
  node: number,
  { columns, edges, options }: Pick<GrowInput, 'edges' | 'options'> & { columns: number },
): { readonly feature: number; readonly bin: number } {
  const base = node * columns * maxBins * 2;
  const { penalty, minLeaf } = options;
  let [allSlope, allCurve] = [0, 0];
  for (let bin = 0; bin < maxBins; bin += 1) {
    allSlope += sums[base + bin * 2] ?? 0;
    allCurve += sums[base + bin * 2 + 1] ?? 0;
  }
  const whole = allSlope ** 2 / (allCurve + penalty);
  let best = { feature: -1, bin: 0, gain: 1e-6 };
  for (let feature = 0; feature < columns; feature += 1) {
    let [slope, curve] = [0, 0];
    const last = edges[feature]?.length ?? 0;
    for (let bin = 0; bin < last; bin += 1) {
      const place = base + (feature * maxBins + bin) * 2;
      slope += sums[place] ?? 0;
      curve += sums[place + 1] ?? 0;
      if (curve < minLeaf || allCurve - curve < minLeaf) continue;
      const rest = (allSlope - slope) ** 2 / (allCurve - curve + penalty);
      const gain = slope ** 2 / (curve + penalty) + rest - whole;
      if (gain > best.gain) best = { feature, bin, gain };
    }
  }
  return best;
}
