import { randomBytes } from 'node:crypto';
import { createAdminApi } from '../../../src/recovery/admin/admin-api.ts';
import { createMerchantDirectory } from '../../../src/recovery/admin/merchant-directory.ts';
import { createMerchantRecords } from '../../../src/recovery/admin/merchant-records.ts';
import { createPspGateways } from '../../../src/recovery/admin/psp-gateways.ts';
import type { NewMerchant } from '../../../src/recovery/operator-api.ts';
import { createAdminStore } from '../../../src/store/admin/admin-store.ts';
import { createActionLog } from '../../../src/store/admin/audit-log.ts';
import { createMerchantReads } from '../../../src/store/admin/merchant-reads.ts';
import { findMerchant, listMerchants } from '../../../src/store/admin/merchants.ts';
import { readCredentials } from '../../../src/store/admin/read-credentials.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { readPspAccounts } from '../../../src/store/reports/psp-accounts.ts';
import { credentialHasher } from '../../../src/store/sealing/encryption-key.ts';
import { localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';
import { withoutWall } from '../../../src/store/wall/merchant-databases.ts';
import { borrowTestDatabase } from '../../kits/borrowed-database.ts';
import { fixedPolicy } from '../../kits/fixed-policy.ts';
import { openGateway, supportedPsps } from '../../kits/psp-fields.ts';
import { queryOnce } from '../../kits/query-once.ts';

export const random = { bytes: (count: number) => randomBytes(count) };

/** Stands still until it is moved. */
export function manualClock(start = '2026-03-01T12:00:00.000Z') {
  let nowMs = Date.parse(start);
  return {
    now: () => new Date(nowMs),
    passMs(ms: number) {
      nowMs += ms;
    },
  };
}

/** The administration of merchants on a database of its own. */
export async function openAdminWorld() {
  const database = await borrowTestDatabase();
  const clock = manualClock();
  const log: string[] = [];
  const warn = (message: string) => log.push(message);
  const db = openDatabase(
    { log: { warn } },
    { connectionString: database.connectionString, poolSize: 8 },
  );
  const encryptionKey = randomBytes(32);
  const sealer = createSealer({ keys: localKeyProvider({ random }, encryptionKey), random });

  /** What one process of the service has: its own caches over the shared database. */
  function openProcess({ cell }: { readonly cell?: string } = {}) {
    const hashCredential = credentialHasher(encryptionKey);
    const reads = createMerchantReads({ databases: withoutWall(db), sealer });
    const records = createMerchantRecords({ clock, reads });
    const directory = createMerchantDirectory({
      clock,
      records,
      reads,
      hashCredential,
      log: { warn: (fields, message) => log.push(`${message} ${JSON.stringify(fields)}`) },
    });
    const gateways = createPspGateways({ records, connect: openGateway });
    const admin = createAdminApi({
      store: createAdminStore({ db, sealer, hashCredential }),
      actions: createActionLog(db),
      directory: {
        forget(merchantId) {
          directory.forget(merchantId);
          gateways.forget(merchantId);
        },
      },
      clock,
      random,
      cell,
      keyMode: 'test',
      checkMerchantUrl: async (url) =>
        url.startsWith('https://')
          ? { kind: 'ok' }
          : { kind: 'refused', detail: 'The address must use https.' },
      supportedPsps,
      openGateway,
      sandboxAheadMs: () => 0,
      findGateway: gateways.find,
    });
    return { admin, directory, gateways };
  }

  return {
    ...openProcess(),
    openProcess,
    db,
    clock,
    log,
    sealer,
    /** What operators are shown of it. */
    shown: {
      merchant: (merchantId: string) => findMerchant(db, merchantId),
      merchants: (input: Parameters<typeof listMerchants>[1]) => listMerchants(db, input),
      credentials: (merchantId: string) => readCredentials({ db, sealer }, merchantId),
      pspAccounts: (merchantId: string) => readPspAccounts(db, merchantId),
    },
    /** Where that is refused to those who connect to a node of Citus. */
    async changeSchema(statement: string): Promise<void> {
      await queryOnce(database.schemaString, statement);
    },
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

export type AdminWorld = Awaited<ReturnType<typeof openAdminWorld>>;

export function newMerchant(change: Partial<NewMerchant> = {}): NewMerchant {
  return {
    name: 'Acme',
    retryStatusUrl: 'https://acme.example/retry/{invoice_id}',
    webhookUrl: 'https://acme.example/webhooks',
    auth: { type: 'none' },
    psps: [{ psp: 'sandbox', credentials: {} }],
    policy: fixedPolicy,
    endOfDunning: false,
    ...change,
  };
}

/** Rows of a statement that a test asks for itself. */
export async function rowsOf(
  db: Database,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const result = await db.pool.query<Record<string, unknown>>(text, values);
  return result.rows;
}
