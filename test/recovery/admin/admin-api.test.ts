import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { encodeCursor } from '../../../src/store/page-cursor.ts';
import { type AdminWorld, newMerchant, openAdminWorld, rowsOf } from './admin-world.ts';

let world: AdminWorld;
beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const audited = async (merchantId: string) =>
  await rowsOf(
    world.db,
    'select action, detail, at from audit_log where merchant_id = $1 order by line',
    [merchantId],
  );

describe('creating a merchant', () => {
  it('gives its view and its four texts, and shows the same view afterwards', async () => {
    const { admin, clock } = world;
    const input = newMerchant({
      auth: { type: 'api_key', api_key: 'theirs' },
      psps: [
        { psp: 'stripe', credentials: { secret_key: 'sk', webhook_secret: 'wh' } },
        { psp: 'sandbox', credentials: {} },
      ],
      endOfDunning: true,
    });
    const created = await admin.createMerchant(input);
    const { merchantId } = created.merchant;
    expect(created).toEqual({
      merchant: {
        merchantId: expect.stringMatching(/^mer_[0-9a-z]{24}$/),
        name: 'Acme',
        retryStatusUrl: 'https://acme.example/retry/{invoice_id}',
        webhookUrl: 'https://acme.example/webhooks',
        policy: { kind: 'fixed', windowDays: 28, maxAttempts: 8, fixedDays: [1, 3, 5, 7] },
        timeZone: 'UTC',
        endOfDunning: true,
        incidentEvents: false,
        customerActionEvents: false,
        webhookQuickSends: false,
        psps: ['sandbox', 'stripe'],
        authType: 'api_key',
        createdAt: clock.now(),
        updatedAt: clock.now(),
      },
      recoveryApiKey: expect.stringMatching(/^rk_test_/),
      disputesUsername: merchantId,
      disputesPassword: expect.stringMatching(/^dp_/),
      signingSecret: expect.stringMatching(/^whsec_/),
    });
    expect(await world.shown.merchant(merchantId)).toEqual(created.merchant);
    expect(await audited(merchantId)).toEqual([
      {
        action: 'merchant.created',
        detail: { name: 'Acme', psps: ['stripe', 'sandbox'], auth: 'api_key' },
        at: clock.now(),
      },
    ]);
  });

  it('leaves nothing behind when it is refused', async () => {
    const count = 'select count(*) from merchants';
    const before = await rowsOf(world.db, count);
    const refusal = world.admin.createMerchant(newMerchant({ webhookUrl: 'http://x' }));
    await expect(refusal).rejects.toMatchObject({ code: 'merchant_url_refused' });
    expect(await rowsOf(world.db, count)).toEqual(before);
  });

  it('changes nothing of an unknown merchant', async () => {
    const { admin } = world;
    for (const id of ['mer_none', '', "'; drop table merchants"]) {
      expect(await admin.changeMerchant(id, { name: 'x' })).toBeUndefined();
      expect(await admin.issueCredential(id, { kind: 'signing_secret' })).toBeUndefined();
      expect(await admin.rotateCredential(id, { kind: 'recovery_api_key' }, 0)).toBeUndefined();
      expect(await admin.revokeCredential(id, id)).toBe(false);
    }
  });
});

describe('listing merchants', () => {
  it('reads them newest first, each once, page by page, also those of one moment', async () => {
    const { admin, clock } = world;
    clock.passMs(minuteMs);
    for (let index = 0; index < 3; index += 1) await admin.createMerchant(newMerchant());
    clock.passMs(minuteMs);
    const newest = await admin.createMerchant(newMerchant({ name: 'Newest' }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.shown.merchants({
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.items.map((item) => item.merchantId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const all = await rowsOf(world.db, 'select merchant_id from merchants');
    expect(seen[0]).toBe(newest.merchant.merchantId);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort()).toEqual(all.map((row) => row.merchant_id).sort());
  });

  const foreign: string[][] = [
    [],
    ['x', 'mer_1'],
    ['2026', 'mer_1'],
    ['-271821-04-20T00:00:00.000Z', 'mer_1'],
    ['2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.000Z', 'mer\0'],
    ['2026-03-01T12:00:00.000Z', 'mer_1', 'more'],
  ];
  it.each(['', 'x', '!!', 'bnVsbA', ...foreign.map(encodeCursor)])(
    'refuses the cursor %j that it never gave',
    async (cursor) => {
      await expect(world.shown.merchants({ cursor, limit: 2 })).rejects.toMatchObject({
        code: 'invalid_request',
        detail: 'cursor is not one that this list has given.',
      });
    },
  );
});

describe('changing a merchant', () => {
  it('changes what is given and nothing else', async () => {
    const { admin, clock } = world;
    const { merchant } = await admin.createMerchant(
      newMerchant({ auth: { type: 'basic', username: 'u', password: 'p' } }),
    );
    clock.passMs(hourMs);
    const policy = {
      kind: 'even',
      windowDays: 10,
      maxAttempts: 4,
      kept: { fixedDays: [2], holdoutShare: 0.25 },
    } as const;
    const changed = await admin.changeMerchant(merchant.merchantId, { name: 'Beta', policy });
    expect(changed).toEqual({ ...merchant, name: 'Beta', policy, updatedAt: clock.now() });
    expect(await world.shown.merchant(merchant.merchantId)).toEqual(changed);
    expect((await audited(merchant.merchantId)).at(-1)).toMatchObject({
      action: 'merchant.changed',
      detail: { changed: ['name', 'policy'] },
    });
  });

  it('replaces auth and PSPs as a whole, and the readers of this process see it at once', async () => {
    const { admin, directory } = world;
    const { merchant, recoveryApiKey } = await admin.createMerchant(
      newMerchant({ auth: { type: 'api_key', api_key: 'old' } }),
    );
    const { merchantId } = merchant;
    const before = await directory.merchantSecrets(merchantId);
    expect(before.auth).toEqual({ type: 'api_key', api_key: 'old' });
    expect(await directory.authenticateApiKey(recoveryApiKey)).toMatchObject({
      merchantId,
      psps: ['sandbox'],
    });
    const credentials = { secret_key: 'sk', webhook_secret: 'wh' };
    const changed = await admin.changeMerchant(merchantId, {
      auth: { type: 'basic', username: 'u', password: 'new' },
      psps: [{ psp: 'stripe', credentials }],
    });
    expect(changed).toMatchObject({ authType: 'basic', psps: ['stripe'] });
    const after = await directory.merchantSecrets(merchantId);
    expect(after.auth).toEqual({ type: 'basic', username: 'u', password: 'new' });
    expect((await directory.findMerchant(merchantId))?.psps).toEqual(['stripe']);
    expect((await directory.authenticateApiKey(recoveryApiKey))?.psps).toEqual(['stripe']);

    await admin.changeMerchant(merchantId, { auth: { type: 'none' } });
    expect((await directory.merchantSecrets(merchantId)).auth).toEqual({ type: 'none' });
    expect((await world.shown.merchant(merchantId))?.authType).toBe('none');
  });

  it('is no change without a field, and none when it is refused', async () => {
    const { admin } = world;
    const { merchant } = await admin.createMerchant(newMerchant());
    expect(await admin.changeMerchant(merchant.merchantId, {})).toEqual(merchant);
    const refusal = admin.changeMerchant(merchant.merchantId, { name: 'Beta', psps: [] });
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await world.shown.merchant(merchant.merchantId)).toEqual(merchant);
    expect(await audited(merchant.merchantId)).toHaveLength(1);
  });
});

describe('credentials', () => {
  it('of a cell of the longest name are kept', async () => {
    const cell = 'cell_of_'.padEnd(30, 'x');
    const { admin, directory } = world.openProcess({ cell });
    const { merchant, recoveryApiKey } = await admin.createMerchant(newMerchant());
    expect(recoveryApiKey).toContain(`_${cell}_`);
    expect(await directory.authenticateApiKey(recoveryApiKey)).toMatchObject({
      merchantId: merchant.merchantId,
    });
  });

  it('are listed by their hints, the first three from the creation', async () => {
    const { admin } = world;
    const created = await admin.createMerchant(newMerchant());
    const list = await world.shown.credentials(created.merchant.merchantId);
    const hints = Object.fromEntries(list.map(({ kind, hint }) => [kind, hint]));
    const hint = (text: string, prefix: number) => `${text.slice(0, prefix)}…${text.slice(-4)}`;
    expect(hints).toEqual({
      recovery_api_key: hint(created.recoveryApiKey, 10),
      disputes_password: hint(created.disputesPassword, 5),
      signing_secret: hint(created.signingSecret, 8),
    });
  });

  it('work beside each other once another is issued', async () => {
    const { admin, directory } = world;
    const { merchant, recoveryApiKey } = await admin.createMerchant(newMerchant());
    const issued = await admin.issueCredential(merchant.merchantId, { kind: 'recovery_api_key' });
    const { merchantId, psps } = merchant;
    for (const key of [recoveryApiKey, issued?.text ?? '']) {
      expect(await directory.authenticateApiKey(key)).toMatchObject({ merchantId, psps });
    }
  });

  it('overlap for the given time in a rotation, then only the new one works', async () => {
    const { admin, directory, clock } = world;
    const { merchant, recoveryApiKey: old } = await admin.createMerchant(newMerchant());
    const rotated = await admin.rotateCredential(
      merchant.merchantId,
      { kind: 'recovery_api_key' },
      hourMs,
    );
    const fresh = rotated?.text ?? '';
    clock.passMs(hourMs - 1);
    expect(await directory.authenticateApiKey(old)).toBeDefined();
    clock.passMs(1);
    expect(await directory.authenticateApiKey(old)).toBeUndefined();
    expect(await directory.authenticateApiKey(fresh)).toBeDefined();
    expect((await audited(merchant.merchantId)).at(-1)).toMatchObject({
      action: 'credential.rotated',
      detail: {
        credential_id: rotated?.credentialId,
        kind: 'recovery_api_key',
        others_end_at: clock.now().toISOString(),
      },
    });
  });

  it('end no later for a second rotation, and other kinds stay untouched', async () => {
    const { admin } = world;
    const { merchantId } = (await admin.createMerchant(newMerchant())).merchant;
    const first = await admin.rotateCredential(merchantId, { kind: 'disputes_password' }, hourMs);
    await admin.rotateCredential(merchantId, { kind: 'disputes_password' }, dayMs);
    const list = await world.shown.credentials(merchantId);
    const now = world.clock.now().getTime();
    const endings = list
      .filter(({ kind }) => kind === 'disputes_password')
      .map(({ expiresAt }) => expiresAt && expiresAt.getTime() - now);
    expect(new Set(endings)).toEqual(new Set([hourMs, dayMs, undefined]));
    const second = list.find(({ credentialId }) => credentialId === first?.credentialId);
    expect(second?.expiresAt?.getTime()).toBe(now + dayMs);
    for (const { kind, expiresAt } of list) {
      if (kind !== 'disputes_password') expect(expiresAt).toBeUndefined();
    }
  });

  it('sign in order of their age while signing secrets overlap', async () => {
    const { admin, directory, clock } = world;
    const created = await admin.createMerchant(newMerchant());
    const { merchantId } = created.merchant;
    clock.passMs(1);
    const second = await admin.rotateCredential(merchantId, { kind: 'signing_secret' }, dayMs);
    clock.passMs(1);
    const third = await admin.issueCredential(merchantId, { kind: 'signing_secret' });
    const texts = async () => (await directory.merchantSecrets(merchantId)).signingSecrets;
    expect(await texts()).toEqual([third?.text, second?.text, created.signingSecret]);
    clock.passMs(dayMs);
    expect(await texts()).toEqual([third?.text, second?.text]);
    await admin.rotateCredential(merchantId, { kind: 'signing_secret' }, 0);
    expect(await texts()).toHaveLength(1);
  });

  it.each([-1, 0.5, 90 * dayMs + 1, Number.NaN])(
    'refuse an overlap of %d ms',
    async (overlapMs) => {
      const refusal = world.admin.rotateCredential(
        'mer_any',
        { kind: 'recovery_api_key' },
        overlapMs,
      );
      await expect(refusal).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it.each(['recovery_api_key', 'signing_secret'] as const)(
    'of the kind %s are ten at most, also when many ask at once',
    async (kind) => {
      const { admin } = world;
      const { merchantId } = (await admin.createMerchant(newMerchant())).merchant;
      const asked = await Promise.allSettled(
        Array.from({ length: 14 }, () => admin.issueCredential(merchantId, { kind })),
      );
      const refused = asked.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(5);
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'conflict' });
      const list = await world.shown.credentials(merchantId);
      expect(list.filter((view) => view.kind === kind)).toHaveLength(10);
      await expect(admin.rotateCredential(merchantId, { kind }, 1)).rejects.toMatchObject({
        code: 'conflict',
      });
      await expect(admin.rotateCredential(merchantId, { kind }, 0)).resolves.toBeDefined();
    },
  );
});

describe('revoking', () => {
  it('ends an API key at once here, and once', async () => {
    const { admin, directory } = world;
    const { merchant, recoveryApiKey } = await admin.createMerchant(newMerchant());
    const { merchantId } = merchant;
    expect(await directory.authenticateApiKey(recoveryApiKey)).toBeDefined();
    const list = await world.shown.credentials(merchantId);
    const { credentialId = '' } = list.find(({ kind }) => kind === 'recovery_api_key') ?? {};
    expect(await admin.revokeCredential(merchantId, credentialId)).toBe(true);
    expect(await directory.authenticateApiKey(recoveryApiKey)).toBeUndefined();
    expect(await admin.revokeCredential(merchantId, credentialId)).toBe(false);
    const after = await world.shown.credentials(merchantId);
    expect(after.find((view) => view.credentialId === credentialId)?.revokedAt).toEqual(
      world.clock.now(),
    );
    expect(
      (await audited(merchantId)).filter(({ action }) => action === 'credential.revoked'),
    ).toEqual([expect.objectContaining({ detail: { credential_id: credentialId } })]);
  });

  it('reaches another process within a second', async () => {
    const { admin, clock } = world;
    const other = world.openProcess().directory;
    const { merchant, recoveryApiKey } = await admin.createMerchant(newMerchant());
    expect(await other.authenticateApiKey(recoveryApiKey)).toBeDefined();
    const list = await world.shown.credentials(merchant.merchantId);
    const { credentialId = '' } = list.find(({ kind }) => kind === 'recovery_api_key') ?? {};
    await admin.revokeCredential(merchant.merchantId, credentialId);
    clock.passMs(1_000);
    expect(await other.authenticateApiKey(recoveryApiKey)).toBeUndefined();
  });

  it('never touches the credential of another merchant', async () => {
    const { admin, directory } = world;
    const one = await admin.createMerchant(newMerchant());
    const other = await admin.createMerchant(newMerchant());
    const list = await world.shown.credentials(one.merchant.merchantId);
    for (const { credentialId } of list) {
      expect(await admin.revokeCredential(other.merchant.merchantId, credentialId)).toBe(false);
    }
    expect(await directory.authenticateApiKey(one.recoveryApiKey)).toBeDefined();
  });

  it('refuses the last signing secret, and takes any other', async () => {
    const { admin, directory, clock } = world;
    const { merchant, signingSecret } = await admin.createMerchant(newMerchant());
    const { merchantId } = merchant;
    clock.passMs(1);
    const issued = await admin.issueCredential(merchantId, { kind: 'signing_secret' });
    expect(await admin.revokeCredential(merchantId, issued?.credentialId ?? '')).toBe(true);
    expect(await admin.revokeCredential(merchantId, issued?.credentialId ?? '')).toBe(false);
    const { signingSecrets } = await directory.merchantSecrets(merchantId);
    expect(signingSecrets).toEqual([signingSecret]);
    const list = await world.shown.credentials(merchantId);
    const last = list.find(
      (view) => view.kind === 'signing_secret' && view.expiresAt === undefined,
    );
    await expect(
      admin.revokeCredential(merchantId, last?.credentialId ?? ''),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await directory.merchantSecrets(merchantId)).signingSecrets).toEqual([signingSecret]);
  });

  it('takes no signing secret for another that ends, by its rotation or by a call beside it', async () => {
    const { admin, clock } = world;
    const { merchantId } = (await admin.createMerchant(newMerchant())).merchant;
    const kind = 'signing_secret';
    const rotated = await admin.rotateCredential(merchantId, { kind }, hourMs);
    const revoke = (credentialId = '') => admin.revokeCredential(merchantId, credentialId);
    await expect(revoke(rotated?.credentialId)).rejects.toMatchObject({ code: 'conflict' });
    const more = await admin.issueCredential(merchantId, { kind });
    // Another process has ended it, whose clock is a moment ahead.
    clock.passMs(5);
    expect(await revoke(more?.credentialId)).toBe(true);
    clock.passMs(-5);
    await expect(revoke(rotated?.credentialId)).rejects.toMatchObject({ code: 'conflict' });
    const old = (await world.shown.credentials(merchantId)).find(
      (view) => view.kind === kind && view.expiresAt?.getTime() === clock.now().getTime() + hourMs,
    );
    expect(await revoke(old?.credentialId)).toBe(true);
  });
});
