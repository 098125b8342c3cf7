import type { Config } from '../../config.ts';
import { secondMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { type DatabaseAway, isDatabaseOutage } from '../../domain/held-back.ts';
import { errorForLog } from '../../http/server/error-for-log.ts';
import { sampledLog } from '../../http/server/sampled-log.ts';
import { createProbeServer } from '../../operator/create-probe-server.ts';
import type { ProbeDeps } from '../../operator/operator-deps.ts';
import { usualProbePort } from '../../process-settings.ts';
import { readInvariants } from '../../recovery/accounting/show-invariants.ts';
import { createControlStore } from '../../store/control-totals/control-store.ts';
import { readLongestWaits } from '../../store/engine/next-due.ts';
import { createCheckStore } from '../../store/invariants/check-store.ts';
import { probeReads } from '../../store/probe-reads.ts';
import { countUndecided } from '../../store/reports/overview/read-alerts.ts';
import { boundsOf } from '../bounds.ts';
import type { AppContext } from '../context.ts';
import { ourHosts } from '../our-hosts.ts';
import { answerInTime } from './answer-in-time.ts';
import { type Listener, listen } from './listen.ts';

/** Longer than one waits for a connection, so that a busy pool is not taken for silence; Prometheus waits 10 s. */
const maxMs = 8 * secondMs;
const renewMs = 10 * secondMs;

/** What this process says of itself, on whichever port it is asked. */
export function probesOf(context: AppContext): ProbeDeps {
  const { db, metrics, elapsedMs } = context;
  const times = { maxMs, renewMs, elapsedMs };
  const count = answerInTime(() => countKept(context), { ...times, late: () => undefined });
  const databaseAway = answerInTime<DatabaseAway | undefined>(() => probeReads(db), {
    ...times,
    late: () => ({
      code: 'database_unreachable',
      message: `The database did not answer within ${maxMs / secondMs} s.`,
    }),
  });
  return {
    notServing: () => context.phase?.notServing(),
    databaseAway,
    writesRefused: async () => context.writes?.refused(),
    heldBack: () => context.engineTime.heldBack() ?? context.restoreHold?.heldBack(),
    async metrics() {
      await count();
      metrics.setReportsFallback(context.reports?.isFallenBack() ?? false);
      return metrics.text();
    },
  };
}

/**
 * What the database knows is told by every process, whichever of them worked it out, so that it does not go with
 * one that ends. A database that is away leaves the last counts; the other figures tell of it.
 */
async function countKept({ clock, db, log, metrics }: AppContext): Promise<void> {
  const now = clock.now();
  const books = { control: createControlStore(db), checks: createCheckStore(db) };
  try {
    metrics.setUndecided(await countUndecided(db, now));
    metrics.setBreaches((await readInvariants(books)).items);
    const waitsMs = await readLongestWaits(db, now);
    metrics.setLongestWaits({
      requests: waitsMs.requests,
      attempts: waitsMs.payments,
      settlements: waitsMs.psp_transactions,
      deliveries: Math.max(waitsMs.deliveries, waitsMs.endpoint_deliveries),
    });
  } catch (error) {
    if (error instanceof AppError && isDatabaseOutage(error.code)) return;
    // The other figures must not go with these.
    log.error(
      { error: errorForLog(error) },
      'what the database has for the metrics could not be read',
    );
  }
}

/** The port that every process has, for whoever starts, balances and measures processes. */
export async function startProbeListener(context: AppContext): Promise<Listener> {
  const { config } = context;
  try {
    return await listenAt(context, probePortOf(config));
  } catch (error) {
    if (config.probePort !== undefined) throw error;
    // Several processes share a machine, and nobody said which of them has the usual port.
    if (error instanceof AppError && error.code === 'port_taken') return listenAt(context, 0);
    throw error;
  }
}

/** The usual port, unless it is this process's for something else; 0 lets the system choose. */
export function probePortOf(config: Config): number {
  const { recoveryPort, disputesPort, operatorPort, demoMerchantPort, sandboxPspPort } = config;
  const others = [recoveryPort, disputesPort, operatorPort, demoMerchantPort, sandboxPspPort];
  return config.probePort ?? (others.includes(usualProbePort) ? 0 : usualProbePort);
}

function listenAt(context: AppContext, port: number): Promise<Listener> {
  const { config, random } = context;
  const server = createProbeServer({
    ...probesOf(context),
    bounds: boundsOf(context, 'operator'),
    hosts: ourHosts(config),
    proxies: config.trustedProxies,
    random,
    log: sampledLog(context.log, context.elapsedMs),
  });
  return listen(server, { host: config.host, port, name: 'probes' });
}
