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
import { readAlerts } from '../../store/reports/overview/read-alerts.ts';
import { readNetworkPressure } from '../../store/reports/overview/read-network-pressure.ts';
import type { AppContext } from '../context.ts';
import { readDisk } from '../operator/read-disk.ts';

/** All that needs a person now, of every merchant and of the service itself. */
export async function readAllAlerts(context: AppContext): Promise<readonly Alert[]> {
  const { config, db, clock, engineTime } = context;
  const now = clock.now();
  const books = { clock, control: createControlStore(db), checks: createCheckStore(db) };
  const [ofMerchants, clocks, pressure, invariants, disk, channels] = await Promise.all([
    readAlerts(db, { now }),
    listProcessClocks(db, engineTime.now()),
    readNetworkPressure(db, {}),
    showInvariants(books),
    readDisk(config),
    listFailingChannels(db),
  ]);
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
