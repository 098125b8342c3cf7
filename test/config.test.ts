import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Environment, parseConfig, parseSettings } from '../src/config.ts';
import { AppError } from '../src/domain/errors.ts';
import type { Setting } from '../src/setting.ts';
import { settings } from '../src/settings.ts';
import { renderSettingsDoc } from '../src/settings-doc.ts';

const key = 'ab'.repeat(32);
const token = 'a-token-of-the-operator';
const server: Environment = {
  DATABASE_URL: 'postgresql://recoup:hunter2@db.internal:5432/recoup',
  ENCRYPTION_KEY: key,
  OPERATOR_TOKEN: token,
};

function faultOf(env: Environment): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof AppError && error.code === 'config_invalid') return error.detail;
    throw error;
  }
  throw new Error('the settings were taken');
}

describe('parseConfig', () => {
  it('gives every setting its default on an empty environment', () => {
    expect(parseConfig({})).toEqual({
      host: '127.0.0.1',
      allowedHosts: [],
      trustedProxies: [],
      recoveryPort: 8080,
      disputesPort: 8081,
      disputesUrl: undefined,
      operatorPort: 8082,
      probePort: undefined,
      drainDelayMs: undefined,
      drainTimeMs: 75_000,
      migrateOnStart: true,
      reportsDatabaseUrl: undefined,
      dashboard: true,
      demoMerchantPort: 8083,
      sandboxPspPort: 8084,
      roles: ['api', 'worker', 'operator'],
      sandbox: true,
      dataDir: './data',
      databaseUrl: undefined,
      databasePool: 20,
      databasePoolPerMerchant: 5,
      encryptionKey: undefined,
      otherEncryptionKeys: [],
      operatorToken: undefined,
      outboundAllow: ['127.0.0.0/8', '::1/128'],
      merchantTimeoutMs: 10_000,
      pspTimeoutMs: 30_000,
      webhookTimeoutMs: 15_000,
      webhookSignatureValidityMs: 300_000,
      recoveryRateLimitPerMinute: 60_000,
      disputesRateLimitPerMinute: 30_000,
      readRateLimitPerMinute: 6_000,
      operatorRateLimitPerMinute: 12_000,
      strangerRateLimitPerMinute: 1_200,
      writesInFlight: 64,
      readsInFlight: 4,
      connectionsPerAddress: 2_000,
      shedAtDelayMs: 250,
      analyticsActiveMonths: 13,
      analyticsKeptMonths: 15,
      archiveAfterDays: 400,
      learnedPolicy: true,
      attemptConcurrency: 256,
      deliveryConcurrency: 256,
      perMerchantConcurrency: 64,
      attemptLeaseMs: 120_000,
      deliveryLeaseMs: 60_000,
      logLevel: 'info',
      tracesServiceName: 'recoup',
      tracesRatio: 1,
      operatorUrl: undefined,
      oidcEmailClaim: 'email',
    });
  });

  it('is not a sandbox with a database server, and allows no loopback then', () => {
    const config = parseConfig({ ...server, OUTBOUND_ALLOW: '10.1.0.0/16, billing.internal:9000' });
    expect(config.sandbox).toBe(false);
    expect(config.outboundAllow).toEqual(['10.1.0.0/16', 'billing.internal:9000']);
    expect(config.encryptionKey).toEqual({ kind: 'local', bytes: new Uint8Array(32).fill(0xab) });
  });

  it('lets a sandbox run on a database server, and the embedded database without one', () => {
    expect(parseConfig({ ...server, SANDBOX: 'true' }).sandbox).toBe(true);
    expect(parseConfig({ SANDBOX: 'false' }).outboundAllow).toEqual([]);
  });

  it('cannot be changed', () => {
    const config = parseConfig({ OUTBOUND_ALLOW: '10.0.0.1' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.roles)).toBe(true);
    expect(Object.isFrozen(config.outboundAllow)).toBe(true);
  });

  it.each([
    ['RECOVERY_PORT', '0', 'recoveryPort', 0],
    ['OTEL_TRACES_SAMPLER_ARG', '0.25', 'tracesRatio', 0.25],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,x-key=c%20d', 'tracesHeaders', { a: 'b', 'x-key': 'c d' }],
    ['RECOVERY_PORT', '65535', 'recoveryPort', 65_535],
    ['ROLES', 'worker', 'roles', ['worker']],
    ['ROLES', 'operator, api', 'roles', ['api', 'operator']],
    ['ROLES', 'all', 'roles', ['api', 'worker', 'operator']],
    ['HOST', '::1', 'host', '::1'],
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['HOST', 'recoup.internal', 'host', 'recoup.internal'],
    ['MERCHANT_TIMEOUT', '500ms', 'merchantTimeoutMs', 500],
    ['MERCHANT_TIMEOUT', '1m', 'merchantTimeoutMs', 60_000],
    ['WEBHOOK_SIGNATURE_VALIDITY', '1h', 'webhookSignatureValidityMs', 3_600_000],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['ALLOWED_HOSTS', 'a.example, *.b.example', 'allowedHosts', ['a.example', '*.b.example']],
    ['DISPUTES_URL', 'https://hooks.example/', 'disputesUrl', 'https://hooks.example'],
    ['OPERATOR_URL', 'https://ops.example/recoup/', 'operatorUrl', 'https://ops.example/recoup'],
    [
      'ENCRYPTION_KEY',
      Buffer.alloc(32, 7).toString('base64'),
      'encryptionKey',
      { kind: 'local', bytes: new Uint8Array(32).fill(7) },
    ],
  ] as const)('reads %s=%s', (env, text, name, value) => {
    expect(parseConfig({ [env]: text })[name]).toEqual(value);
  });

  it.each([
    ['OTEL_TRACES_SAMPLER_ARG', '1.1', 'must be a number from 0 to 1, such as 0.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '.5', 'must be a number from 0 to 1, such as 0.1'],
    ['RECOVERY_PORT', '65536', 'must be a port from 0 to 65535'],
    ['RECOVERY_PORT', '-1', 'must be a port from 0 to 65535'],
    ['RECOVERY_PORT', '8080 ', 'must be a port from 0 to 65535'],
    ['RECOVERY_PORT', '0x50', 'must be a port from 0 to 65535'],
    ['DATABASE_POOL', '0', 'must be a whole number from 1 to 1000'],
    ['DATABASE_POOL', '1e2', 'must be a whole number from 1 to 1000'],
    ['ROLES', 'worker,cook', 'must be all, or some of api, worker, operator separated by commas'],
    ['ROLES', ',', 'must be all, or some of api, worker, operator separated by commas'],
    ['SANDBOX', 'yes', 'must be true or false'],
    ['HOST', '999.1.1.1', 'must be an IP address or a host name'],
    ['HOST', 'http://localhost', 'must be an IP address or a host name'],
    ['MERCHANT_TIMEOUT', '10', 'must be a duration from 10ms to 10m, such as 500ms, 10s or 2m'],
    ['MERCHANT_TIMEOUT', '11m', 'must be a duration from 10ms to 10m, such as 500ms, 10s or 2m'],
    ['MERCHANT_TIMEOUT', '0s', 'must be a duration from 10ms to 10m, such as 500ms, 10s or 2m'],
    ['LOG_LEVEL', 'INFO', 'must be one of trace, debug, info, warn, error, fatal, silent'],
    [
      'OUTBOUND_ALLOW',
      '10.0.0.0/99',
      'must list networks such as 10.1.0.0/16 and servers such as host:port',
    ],
    ['OPERATOR_URL', 'localhost:8082', 'must be a URL such as http://127.0.0.1:8082'],
  ])('refuses %s=%s and names both', (env, text, why) => {
    expect(faultOf({ [env]: text })).toBe(`${env} is ${JSON.stringify(text)} but ${why}.`);
  });

  it.each([
    [
      'ENCRYPTION_KEY',
      'abcdef0123',
      'must be 32 bytes, as 64 hexadecimal digits or in base 64, or aws-kms: and the ARN of a key',
    ],
    [
      'OTHER_ENCRYPTION_KEYS',
      `${'00'.repeat(32)},hunter2`,
      'must be 32 bytes, as 64 hexadecimal digits or in base 64, or aws-kms: and the ARN of a key; several separated by commas',
    ],
    ['OPERATOR_TOKEN', 'hunter2', 'must have 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + / ='],
    [
      'OPERATOR_TOKEN',
      'hunter2 hunter2 hunter2',
      'must have 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + / =',
    ],
    [
      'DATABASE_URL',
      'mysql://root:hunter2@db/x',
      'must have the form postgresql://user:password@host:5432/database',
    ],
  ])('refuses %s without showing its value', (env, text, why) => {
    const message = faultOf({ ...server, [env]: text });
    expect(message).toBe(`${env} ${why}.`);
    expect(message).not.toContain('hunter2');
  });

  it('refuses an empty variable instead of taking the default', () => {
    expect(faultOf({ DATABASE_URL: '', RECOVERY_PORT: '' })).toBe(
      'RECOVERY_PORT is empty; unset it or give it a value; DATABASE_URL is empty; unset it or give it a value.',
    );
    expect(parseConfig({ OUTBOUND_ALLOW: '' }).outboundAllow).toEqual(['127.0.0.0/8', '::1/128']);
  });

  it('asks for both secrets when there is a database server', () => {
    expect(faultOf({ DATABASE_URL: 'postgres://db/recoup' })).toBe(
      'ENCRYPTION_KEY must be set when DATABASE_URL is; OPERATOR_TOKEN must be set when DATABASE_URL is.',
    );
  });

  it('names a variable that was probably meant for a secret that is missing', () => {
    const { DATABASE_URL, ENCRYPTION_KEY } = server;
    expect(faultOf({ DATABASE_URL, ENCRYPTION_KEY, OPERATER_TOKEN: 'hunter2' })).toBe(
      'OPERATOR_TOKEN must be set when DATABASE_URL is (OPERATER_TOKEN is no setting).',
    );
  });

  it('reports every fault in one error of one line', () => {
    const message = faultOf({ RECOVERY_PORT: 'a\nb', LOG_LEVEL: 'loud', DATABASE_POOL: 'many' });
    expect(message).toBe(
      'RECOVERY_PORT is "a\\nb" but must be a port from 0 to 65535; DATABASE_POOL is "many" but must be a whole number from 1 to 1000; LOG_LEVEL is "loud" but must be one of trace, debug, info, warn, error, fatal, silent.',
    );
  });

  it.each([
    [
      { MERCHANT_TIMEOUT: '100s' },
      'ATTEMPT_LEASE is 120000ms but must not be less than MERCHANT_TIMEOUT and PSP_TIMEOUT together (130000ms)',
    ],
    [
      { WEBHOOK_TIMEOUT: '60s' },
      'DELIVERY_LEASE is 60000ms but must be more than WEBHOOK_TIMEOUT (60000ms)',
    ],
    [
      { WEBHOOK_SIGNATURE_VALIDITY: '14s' },
      'WEBHOOK_SIGNATURE_VALIDITY is 14000ms but must not be less than WEBHOOK_TIMEOUT (15000ms)',
    ],
    [{ DISPUTES_PORT: '8080' }, 'DISPUTES_PORT is 8080 but so is RECOVERY_PORT'],
    [{ OPERATOR_PORT: '8080' }, 'OPERATOR_PORT is 8080 but so is RECOVERY_PORT'],
    [{ PROBE_PORT: '8082' }, 'OPERATOR_PORT is 8082 but so is PROBE_PORT'],
    [
      { DRAIN_DELAY: '5s', DRAIN_TIME: '4s' },
      'DRAIN_TIME is 4000ms but must not be less than DRAIN_DELAY (5000ms)',
    ],
    [{ SANDBOX_PSP_PORT: '8082' }, 'SANDBOX_PSP_PORT is 8082 but so is OPERATOR_PORT'],
  ])('refuses %o, which do not go together', (env, why) => {
    expect(faultOf(env)).toContain(why);
  });

  it.each([
    'postgres:///recoup?host=/run/postgresql',
    'postgresql://a:5432,b:5433/recoup?target_session_attrs=read-write',
  ])('takes the database %s', (databaseUrl) => {
    expect(parseSettings({ DATABASE_URL: databaseUrl }, ['databaseUrl'])).toEqual({ databaseUrl });
  });

  it.each([
    { MERCHANT_TIMEOUT: '90s' },
    { RECOVERY_PORT: '0', DISPUTES_PORT: '0', OPERATOR_PORT: '0', SANDBOX_PSP_PORT: '0' },
    { SANDBOX: 'false', SANDBOX_PSP_PORT: '8080' },
    { SANDBOX_PSP_URL: 'http://127.0.0.1:8080', SANDBOX_PSP_PORT: '8080' },
    { ROLES: 'api', DEMO_MERCHANT_PORT: '8080', SANDBOX_PSP_PORT: '8080' },
    { ROLES: 'worker', SANDBOX: 'false', RECOVERY_PORT: '8082' },
  ])('takes %o, which do', (env) => {
    expect(() => parseConfig(env)).not.toThrow();
  });

  it('gives a value or a config_invalid that names the setting, whatever the text', () => {
    const all: readonly Setting<unknown>[] = Object.values(settings);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.stringMatching(/^[0-9a-z:/.,@ -]{0,40}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...all), text, (setting, value) => {
        try {
          parseConfig({ ...server, [setting.env]: value });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toBe('config_invalid');
          expect(error.message).toContain(setting.env);
          expect(error.message).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          // A plain word, such as "name", stands in the setting's own sentence.
          if (setting.secret && value.length > 3 && /[^a-z]/.test(value)) {
            expect(error.detail).not.toContain(value);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseSettings', () => {
  it('reads some settings, whatever is wrong with the others', () => {
    const env = { DATABASE_URL: 'nonsense', OPERATOR_PORT: '9000' };
    expect(parseSettings(env, ['operatorPort', 'operatorToken'])).toEqual({
      operatorPort: 9000,
      operatorToken: undefined,
    });
  });

  it('refuses a faulty one among them', () => {
    expect(() => parseSettings({ OPERATOR_PORT: 'x' }, ['operatorPort'])).toThrow(/OPERATOR_PORT/);
  });
});

describe('renderSettingsDoc', () => {
  it('has one row for each setting, with its default', () => {
    const doc = renderSettingsDoc();
    for (const { env } of Object.values(settings)) {
      expect(doc.split('\n').filter((line) => line.startsWith(`| \`${env}\` |`))).toHaveLength(1);
    }
    expect(doc).toContain('| `RECOVERY_PORT` | `8080` | port from 0 to 65535');
  });
});
