import { expect, it } from 'vitest';
import { misspeltSettings } from '../src/misspelt-settings.ts';
import { settings } from '../src/settings.ts';

it.each([
  ['ATTEMPT_CONCURENCY', 'ATTEMPT_CONCURRENCY'],
  ['DELIVERY_CONCURRENCIES', undefined],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['DATABASE-URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['RECOUP_DATABASE_URL', 'DATABASE_URL'],
  ['RECOUP_HOST', 'HOST'],
  ['PSP_TIMEOUT_MS', 'PSP_TIMEOUT'],
  ['PSP_TIMEOUTS', 'PSP_TIMEOUT'],
  ['RECOUP_PSP_TIMEOUT_SECONDS', 'PSP_TIMEOUT'],
  ['ROLE', 'ROLES'],
  ['ALLOWED_HOST', 'ALLOWED_HOSTS'],
  ['ENCRPYTION_KEY', 'ENCRYPTION_KEY'],
  ['OPERATER_TOKEN', 'OPERATOR_TOKEN'],
  ['TRUSTED_PROXY', undefined],
])('%s is taken for a slip of %s', (variable, meant) => {
  expect(misspeltSettings({ [variable]: 'x' })).toEqual(
    meant === undefined ? [] : [{ variable, meant }],
  );
});

it.each([
  ...['HOME', 'HOSTNAME', 'HOSTS', 'POST', 'PORT', 'PATH', 'DATA', 'TMPDIR', 'LOGNAME', 'LEVEL'],
  ...['WEB_CONCURRENCY', 'WORKER_CONCURRENCY', 'PGHOST', 'PGDATABASE', 'PGURL', 'REDIS_URL'],
  ...[
    'DATABASE_HOST',
    'DATABASE_NAME',
    'DATABASE_USER',
    'DATABASE_URL_TEST',
    'DATABASE_TLS',
    'DB_URL',
  ],
  ...[
    'OPERATOR_HOST',
    'RECOVERY_HOST',
    'PROXY_PORT',
    'DISCOVERY_PORT',
    'TRAIN_TIME',
    'PHP_TIMEOUT',
  ],
  ...[
    'SMTP_USER',
    'SFTP_URL',
    'HTTP_URL',
    'SMTP_HOST',
    'ADMIN_URL',
    'STRIPE_KEY',
    'STRIPE_API_KEY',
  ],
  ...[
    'OTEL_SERVICE_VERSION',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_TRACES_SAMPLER',
    'OTEL_SDK_DISABLED',
  ],
  ...['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_HEADERS', 'AWS_REGION'],
  ...['AWS_ENDPOINT_URL_KMS', 'NODE_OPTIONS', 'NODE_ENV', 'LOG_FORMAT', 'POSTGRES_PASSWORD'],
  ...['OIDC_AUDIENCE', 'OIDC_SCOPE', 'KUBERNETES_PORT', 'npm_config_node_options', 'no_proxy', '_'],
])('%s is somebody else’s', (variable) => {
  expect(misspeltSettings({ [variable]: 'x' })).toEqual([]);
});

it('no setting is taken for another one', () => {
  const all = Object.values(settings).map(({ env }) => env);
  for (const env of all) expect(misspeltSettings({ [env]: 'x' })).toEqual([]);
});

it('a near name beside the setting itself is somebody else’s', () => {
  expect(misspeltSettings({ DATABASE_URI: 'x', DATABASE_URL: 'y' })).toEqual([]);
});

it('what Kubernetes tells of a service is no slip', () => {
  expect(misspeltSettings({ RECOUP_OPERATOR_PORT: 'tcp://10.0.0.7:8082' })).toEqual([]);
});
