import { hostname } from 'node:os';
import { showInvariants } from '../../recovery/accounting/show-invariants.ts';
import type { Alert } from '../../recovery/alerts/alert.ts';
import {
  channelAlerts,
  diskAlerts,
  heldBackAlerts,
  invariantAlerts,
  pressureAlerts,
} from '../../recovery/alerts/alerts-of.ts';
import { listFailingChannels } from '../../store/alerts/read-alert-page.ts';
import { listProcessClocks } from '../../store/clock/process-clocks.ts';
import { createControlStore } from '../../store/control-totals/control-store.ts';
import { createCheckStore } from '../../store/invariants/check-store.ts';
import { inTurn } from '../../store/pool/in-turn.ts';
import { readAlerts } from '../../store/reports/overview/read-alerts.ts';
import { readNetworkPressure } from '../../store/reports/overview/read-network-pressure.ts';
import type { AppContext } from '../context.ts';
import { readDisk } from '../operator/read-disk.ts';

/** All that needs a person now, of every merchant and of the service itself. */
export async function readAllAlerts(context: AppContext): Promise<readonly Alert[]> {
  const { config, db, clock, engineTime } = context;
  const now = clock.now();
  const books = { clock, control: createControlStore(db), checks: createCheckStore(db) };
  // On one connection: nobody waits for it, and each minute it would keep a dozen open that nothing else needs.
  const { ofMerchants, clocks, pressure, channels } = await db.transaction(async (tx) => ({
    ofMerchants: await readAlerts(inTurn(tx), { now }),
    clocks: await listProcessClocks(tx, engineTime.now()),
    pressure: await readNetworkPressure(tx, {}),
    channels: await listFailingChannels(tx),
  }));
  const invariants = await showInvariants(books);
  const disk = await readDisk(config);
  return [
    ...ofMerchants,
    ...heldBackAlerts(clocks),
    ...pressureAlerts(pressure),
    ...invariantAlerts(invariants.items, now),
    // The embedded database is of one machine, so its name says which disk.
    ...diskAlerts(disk, { processId: hostname(), at: now }),
    ...channelAlerts(channels),
  ];
}
