import type { ClusterSums } from './cluster-bootstrap.ts';
import type { UnitSource } from './seeded-unit.ts';

/**
 * Groups of payers that are resampled: more of them sharpen an interval's bounds no further, and
 * resampling a million payers hundreds of times would take minutes.
 */
const maxGroups = 1_000;

/**
 * Sums rows into clusters, and those into at most a thousand groups by chance. Sums of independent
 * payers are independent, so that their groups may be resampled in their place. `clusters` numbers
 * the payer of each row, from 0 without gaps.
 */
export function groupClusters(
  clusters: Int32Array,
  columns: readonly Float64Array[],
  unit: UnitSource,
): ClusterSums {
  const count = clusters.reduce((max, cluster) => Math.max(max, cluster + 1), 0);
  const groups = Math.min(count, maxGroups);
  const groupOf = dealt(count, groups, unit);
  return columns.map((column) => {
    const sums = new Float64Array(groups);
    clusters.forEach((cluster, row) => {
      const group = groupOf[cluster] ?? 0;
      sums[group] = (sums[group] ?? 0) + (column[row] ?? 0);
    });
    return sums;
  });
}

/** The group of each cluster: dealt like cards after a shuffle (Fisher and Yates), so evenly. */
function dealt(count: number, groups: number, unit: UnitSource): Uint16Array {
  const groupOf = Uint16Array.from({ length: count }, (_, at) => at % groups);
  if (count <= groups) return groupOf;
  for (let at = count - 1; at > 0; at -= 1) {
    const other = Math.floor(unit() * (at + 1));
    const kept = groupOf[at] ?? 0;
    groupOf[at] = groupOf[other] ?? 0;
    groupOf[other] = kept;
  }
  return groupOf;
}
