import { inBatches, type OnDemandJob } from '../background-job.ts';

export const rotateKeysJobName = 'rotate-keys';

/** Wraps page by page. Two at once wait for each other's page; one that is cut off is gone on with. */
export function rotateKeys(deps: {
  step(at: Date): Promise<{ readonly keys: number; readonly ended: boolean }>;
}): OnDemandJob {
  return {
    name: rotateKeysJobName,
    onDemand: true,
    async run(_input, context) {
      await inBatches(context, async () => (await deps.step(context.at)).keys);
    },
  };
}
