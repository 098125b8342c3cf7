import type { TestCluster } from './test-cluster.ts';

/** A cluster, and the end of what the run made in it. */
export interface RunningCluster {
  readonly cluster: TestCluster;
  close(): Promise<void>;
}
