import type { Logger } from 'pino';
import type { Dashboard, DashboardState } from '../../operator/dashboard/dashboard.ts';
import type { Closable } from '../context.ts';
import { buildDashboard, dashboardFolder } from './build-dashboard.ts';
import { loadFiles } from './load-files.ts';

/**
 * The dashboard of this process. Where its present sources are not built yet, a child builds them
 * while the service starts and works; nothing waits for `built`. Closing ends the child.
 */
export function startDashboard(
  deps: { readonly log: Pick<Logger, 'info' | 'error'> },
  folder: string = dashboardFolder,
): Dashboard & Closable & { readonly built: Promise<void> } {
  const { log } = deps;
  const stopping = new AbortController();
  let state: DashboardState = { kind: 'building' };
  const built = build();

  async function build(): Promise<void> {
    try {
      const outcome = await buildDashboard({ folder, signal: stopping.signal });
      if (outcome.kind === 'ready') {
        state = { kind: 'ready', files: await loadFiles(outcome.path) };
        log.info('the dashboard is ready');
      } else fail(outcome.message);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }

  function fail(message: string): void {
    if (stopping.signal.aborted) return;
    state = { kind: 'failed', message };
    log.error({ message }, 'the dashboard could not be built: run npm ci && npm run build');
  }

  return {
    state: () => state,
    built,
    async close() {
      stopping.abort();
      await built;
    },
  };
}
