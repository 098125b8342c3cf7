import { present } from '../../domain/present.ts';
import { tryConnection } from '../../merchant/outbound/try-connection.ts';
import { showInvariants } from '../../recovery/accounting/show-invariants.ts';
import type { CheckupPorts } from '../../recovery/checkup/checkup-ports.ts';
import type { Finding } from '../../recovery/checkup/finding.ts';
import { runCheckup } from '../../recovery/checkup/run-checkup.ts';
import type { OperatorApi } from '../../recovery/operator-api.ts';
import { listMerchants } from '../../store/admin/merchants.ts';
import { readDatabase } from '../../store/checkup/read-database.ts';
import { listUnanswered } from '../../store/checkup/read-unanswered.ts';
import { countUnresolved, listFailingDeliveries, listLate } from '../../store/checkup/read-work.ts';
import { listProcessClocks } from '../../store/clock/process-clocks.ts';
import { createControlStore } from '../../store/control-totals/control-store.ts';
import { createCheckStore } from '../../store/invariants/check-store.ts';
import { listMoves } from '../../store/moving/list-moves.ts';
import { createRotationStore } from '../../store/sealing/rotation-store.ts';
import { verifyEncryptionKey } from '../../store/sealing/verify-encryption-key.ts';
import type { AppContext } from '../context.ts';
import type { MerchantModule } from '../merchant-module.ts';
import { readDisk } from './read-disk.ts';

/** The check-up that `recoup doctor` asks for, on the parts of this process. */
export function createCheckup(
  context: AppContext,
  parts: {
    readonly merchants: Pick<MerchantModule, 'sealer'>;
    readonly operator: Pick<OperatorApi, 'testPsp'>;
  },
): () => Promise<readonly Finding[]> {
  const { config, db, keys, wall, clock, engineTime, machine, elapsedMs } = context;
  const { merchants, operator } = parts;
  const books = { clock, control: createControlStore(db), checks: createCheckStore(db) };
  const rotations = createRotationStore({ db, keys, sealer: merchants.sealer });
  const ports: CheckupPorts = {
    async readDatabase() {
      const wallLacks = wall.kind === 'down' ? wall.lacks : undefined;
      return { ...(await readDatabase({ db, machine, elapsedMs })), ...present({ wallLacks }) };
    },
    listProcessClocks: () => listProcessClocks(db, engineTime.now()),
    verifyEncryptionKey: () => verifyEncryptionKey({ db, sealer: merchants.sealer }),
    findRotation: () => rotations.latest(),
    listMoves: () => listMoves(db, { cell: config.databaseSchema }),
    readDisk: () => readDisk(config),
    checkInvariants: async () => (await showInvariants(books)).items,
    listLate: (before) => listLate(db, before),
    countUnresolved: () => countUnresolved(db),
    listFailingDeliveries: (since) => listFailingDeliveries(db, since),
    listUnanswered: (input) => listUnanswered(db, input),
    listMerchants: async (limit) => (await listMerchants(db, { limit, here: true })).items,
    reach: (url) =>
      tryConnection({ allow: config.outboundAllow, timeoutMs: config.merchantTimeoutMs }, url),
    testPsp: async ({ merchantId, psp }) => (await operator.testPsp(merchantId, psp))?.check,
  };
  return () => runCheckup({ ports, clock });
}
