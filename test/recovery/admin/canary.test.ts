import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMerchantReads } from '../../../src/store/admin/merchant-reads.ts';
import { localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';
import { verifyEncryptionKey } from '../../../src/store/sealing/verify-encryption-key.ts';
import { withoutWall } from '../../../src/store/wall/merchant-databases.ts';
import { type AdminWorld, newMerchant, openAdminWorld, random, rowsOf } from './admin-world.ts';

let world: AdminWorld;
const merchantIds: string[] = [];
/** Every secret text that was given or shown, by what it is. */
const planted = new Map<string, string>();

beforeAll(async () => {
  world = await openAdminWorld();
  const { admin, clock, directory } = world;
  const canary = (what: string) => {
    const text = `canary-${randomBytes(12).toString('hex')}`;
    planted.set(what, text);
    return text;
  };
  const auths = [
    { type: 'api_key', api_key: canary('auth.api_key') },
    { type: 'basic', username: 'u', password: canary('auth.password') },
  ] as const;
  for (const [index, auth] of auths.entries()) {
    const credentials = {
      secret_key: canary(`secret_key ${index}`),
      webhook_secret: canary(`webhook_secret ${index}`),
    };
    const psps = [{ psp: 'stripe', credentials }] as const;
    const created = await admin.createMerchant(newMerchant({ auth, psps }));
    const { merchantId } = created.merchant;
    merchantIds.push(merchantId);
    planted.set(`recovery API key ${index}`, created.recoveryApiKey);
    planted.set(`disputes password ${index}`, created.disputesPassword);
    planted.set(`signing secret ${index}`, created.signingSecret);
    for (const kind of ['recovery_api_key', 'disputes_password', 'signing_secret'] as const) {
      clock.passMs(1);
      const issued = await admin.issueCredential(merchantId, { kind });
      planted.set(`issued ${kind} ${index}`, issued?.text ?? '');
      const rotated = await admin.rotateCredential(merchantId, { kind }, 1_000);
      planted.set(`rotated ${kind} ${index}`, rotated?.text ?? '');
    }
    await admin.changeMerchant(merchantId, {
      auth: { type: 'api_key', api_key: canary(`changed auth ${index}`) },
      psps: [
        {
          psp: 'stripe',
          credentials: { ...credentials, secret_key: canary(`changed PSP ${index}`) },
        },
      ],
    });
    await directory.authenticateApiKey(created.recoveryApiKey);
    await directory.idle();
  }
});
afterAll(() => world.close());

/** A secret as it may stand in a dump: plain, or as the hexadecimal or base64 of its bytes. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const middle = bytes.subarray(0, bytes.length - (bytes.length % 3));
  return [text, bytes.toString('hex'), middle.toString('base64'), middle.toString('base64url')];
}

function plantedIn(text: string): string[] {
  return [...planted]
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([what]) => what);
}

/** Every row of every table of the database, as text. */
async function dump(): Promise<string> {
  const tables = await rowsOf(
    world.db,
    `select table_name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_name !~ '^citus_'`,
  );
  const rows = await Promise.all(
    tables.map(({ table_name }) => rowsOf(world.db, `select t::text as row from ${table_name} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

describe('secrets', () => {
  it('stand nowhere in the database', async () => {
    const text = await dump();
    expect(planted.size).toBe(2 * (3 + 3 + 6 + 2));
    expect([...planted.values()].every((secret) => secret.length > 20)).toBe(true);
    expect(text).toContain(merchantIds[0]);
    expect(text.split('\n').length).toBeGreaterThan(20);
    expect(plantedIn(text)).toEqual([]);
  });

  it('would be found there if they stood anywhere', async () => {
    const [secret = ''] = planted.values();
    await rowsOf(world.db, 'update merchants set name = $1', [`x${secret}`]);
    expect(plantedIn(await dump())).toEqual(['auth.api_key']);
    await rowsOf(world.db, `update merchants set name = encode($1::bytea, 'hex')`, [secret]);
    expect(plantedIn(await dump())).toEqual(['auth.api_key']);
    await rowsOf(world.db, `update merchants set name = 'Acme'`);
    expect(plantedIn(await dump())).toEqual([]);
  });

  it('stand in no view that can be read again', async () => {
    for (const merchantId of merchantIds) {
      const views = [
        await world.shown.merchant(merchantId),
        await world.shown.credentials(merchantId),
      ];
      expect(plantedIn(inspect(views, { depth: 9 }))).toEqual([]);
    }
  });

  it('stand in no error, of a wrong key, a changed secret or a refused input', async () => {
    const { admin, db } = world;
    const [merchantId = ''] = merchantIds;
    const otherKey = localKeyProvider({ random }, randomBytes(32));
    const other = createSealer({ keys: otherKey, random });
    const [apiKey = ''] = planted.values();
    const auth = { type: 'api_key', api_key: `${apiKey}\n` } as const;
    const psps = [{ psp: 'stripe', credentials: { [apiKey]: apiKey } }] as const;
    const errors = await Promise.all([
      caught(verifyEncryptionKey({ db, sealer: other })),
      caught(
        createMerchantReads({ databases: withoutWall(db), sealer: other })
          .readMerchant(merchantId, new Date(0))
          .then((record) => record?.openSecrets()),
      ),
      caught(admin.createMerchant(newMerchant({ auth, psps }))),
      caught(admin.changeMerchant(merchantId, { auth, psps })),
    ]);
    await rowsOf(db, `update secrets set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)`);
    errors.push(await caught(world.shown.credentials(merchantId)));
    const codes = errors.map((error) => (error as { code?: unknown }).code);
    expect(codes).toEqual([
      'encryption_key_wrong',
      'encryption_key_wrong',
      'invalid_request',
      'invalid_request',
      'encryption_key_wrong',
    ]);
    expect(plantedIn(inspect(errors, { depth: 9, showHidden: true }))).toEqual([]);
    expect(plantedIn(world.log.join('\n'))).toEqual([]);
  });
});

async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
}
