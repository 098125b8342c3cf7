import { alertSettings } from './alert-settings.ts';
import { maxKeptMonths } from './domain/analytics/retention.ts';
import { type OutsidePsp, outsidePsps, pspFacts } from './domain/psps.ts';
import { messageSettings } from './message-settings.ts';
import { processSettings } from './process-settings.ts';
import { optional, type Setting, withDefault } from './setting.ts';
import {
  allowList,
  bearerToken,
  databaseUrl,
  duration,
  encryptionKey,
  encryptionKeys,
  folder,
  host,
  hostNames,
  httpUrl,
  instant,
  networks,
  oneOf,
  port,
  someOf,
  wholeNumber,
  yesOrNo,
} from './setting-values.ts';
import { signInSettings } from './sign-in-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

const roles = ['api', 'worker', 'operator'] as const;

const requestsPerMinute = wholeNumber(1, 100_000_000);
const atOnce = wholeNumber(1, 10_000);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting, once. docs/settings.md is generated from this table. */
export const settings = {
  host: withDefault(host, {
    env: 'HOST',
    group: 'Listening',
    default: '127.0.0.1',
    meaning:
      'The address that every listener binds to. `/healthz`, `/readyz` and `/metrics` of the operator port and of PROBE_PORT need no token: keep those ports inside your network when you change this.',
  }),
  allowedHosts: withDefault(hostNames, {
    env: 'ALLOWED_HOSTS',
    group: 'Listening',
    default: '',
    defaultText: 'none',
    meaning:
      'Names allowed in the Host header of requests, on every port, besides loopback names, numeric addresses, HOST, and the hosts of DISPUTES_URL and OPERATOR_URL. List the names that a proxy passes on and those of services inside your network. Any other name gets 421.',
  }),
  trustedProxies: withDefault(networks, {
    env: 'TRUSTED_PROXIES',
    group: 'Listening',
    default: '',
    defaultText: 'none',
    meaning:
      'Your own proxies. For requests through them, the sender is the right-most address in X-Forwarded-For (or Forwarded) that is not one of them; limits, failed authentications and the audit log use it, and X-Forwarded-Proto makes cookies secure. From anybody else these headers are ignored.',
  }),
  recoveryPort: withDefault(port, {
    env: 'RECOVERY_PORT',
    group: 'Listening',
    default: '8080',
    meaning: 'The port of the recovery API, which merchants call.',
  }),
  disputesPort: withDefault(port, {
    env: 'DISPUTES_PORT',
    group: 'Listening',
    default: '8081',
    meaning:
      'The port of the disputes API, which merchants submit analytics records to and PSPs send their webhooks to; role `api`.',
  }),
  disputesUrl: optional(httpUrl, {
    env: 'DISPUTES_URL',
    group: 'Listening',
    defaultText: '`http://`, HOST and DISPUTES_PORT',
    meaning:
      'How PSPs reach the disputes listener from outside, such as `https://disputes.example.com`. The webhook addresses that the operator API shows begin with it.',
  }),
  operatorPort: withDefault(port, {
    env: 'OPERATOR_PORT',
    group: 'Listening',
    default: '8082',
    meaning: 'The port of the operator API, the health checks and the metrics.',
  }),
  dashboard: withDefault(yesOrNo, {
    env: 'DASHBOARD',
    group: 'Listening',
    default: 'true',
    meaning:
      'Serves the dashboard on the operator port, and builds it if needed. `false`: the operator API alone.',
  }),
  ...processSettings,
  demoMerchantPort: withDefault(port, {
    env: 'DEMO_MERCHANT_PORT',
    group: 'Listening',
    default: '8083',
    meaning: 'The port of the demo merchant; in the sandbox only, with the role operator.',
  }),
  sandboxPspPort: withDefault(port, {
    env: 'SANDBOX_PSP_PORT',
    group: 'Listening',
    default: '8084',
    meaning: 'The port of the sandbox PSP; in the sandbox only, with the role worker.',
  }),
  sandboxPspUrl: optional(httpUrl, {
    env: 'SANDBOX_PSP_URL',
    group: 'Listening',
    defaultText: 'a sandbox PSP of its own',
    meaning:
      "Another process's sandbox PSP to charge through instead of one of this process: several workers of one sandbox need a single record of their charges.",
  }),
  roles: withDefault(someOf(roles), {
    env: 'ROLES',
    group: 'Listening',
    default: 'all',
    meaning:
      'What this process does: `api` takes requests of merchants, `worker` retries payments and delivers webhooks, `operator` serves the operator API. Several processes share one DATABASE_URL.',
  }),
  sandbox: optional(yesOrNo, {
    env: 'SANDBOX',
    group: 'Listening',
    defaultText: '`true` without DATABASE_URL, else `false`',
    meaning:
      'Runs the sandbox PSP and the demo merchant, lets time be moved, and lets merchants be on loopback addresses.',
  }),
  restoredFrom: optional(instant, {
    env: 'RESTORED_FROM',
    group: 'Listening',
    defaultText: 'no backup was restored',
    meaning:
      'The time of the backup that the database was restored from; must be in the past. Before anything is charged, charges made at the PSPs since then are recorded, once for each such time.',
  }),
  dataDir: withDefault(folder, {
    env: 'DATA_DIR',
    group: 'Data',
    default: './data',
    meaning:
      'The folder of the embedded database and of the secrets that Recoup generates. Only one running Recoup per folder.',
  }),
  databaseUrl: optional(databaseUrl, {
    env: 'DATABASE_URL',
    group: 'Data',
    secret: true,
    defaultText: 'the embedded database in DATA_DIR',
    meaning:
      'A PostgreSQL server to use instead of the embedded one. With several hosts, the first that accepts writes is used.',
  }),
  databasePool: withDefault(wholeNumber(1, 1000), {
    env: 'DATABASE_POOL',
    group: 'Data',
    default: '20',
    meaning:
      'The maximum number of database connections of this process, separately for merchants’ calls, due work and operators.',
  }),
  databasePoolPerMerchant: withDefault(wholeNumber(1, 1000), {
    env: 'DATABASE_POOL_PER_MERCHANT',
    group: 'Data',
    default: '5',
    meaning:
      'The maximum of these that the requests of one merchant use at a time; all operators together count as one merchant. Further requests wait up to 5 s, taking turns with other merchants, and are then refused (429). A quarter of DATABASE_POOL is never given to single requests.',
  }),
  encryptionKey: optional(encryptionKey, {
    env: 'ENCRYPTION_KEY',
    group: 'Secrets',
    secret: true,
    requiredWithDatabaseUrl: true,
    defaultText: 'generated once and kept in DATA_DIR/encryption-key',
    meaning:
      "Encrypts the merchants' secrets in the database. Without it they cannot be read: keep a copy.",
  }),
  otherEncryptionKeys: withDefault(encryptionKeys, {
    env: 'OTHER_ENCRYPTION_KEYS',
    group: 'Secrets',
    secret: true,
    default: '',
    defaultText: 'none',
    meaning:
      'Keys used for decryption only: the previous ENCRYPTION_KEY until `recoup keys rotate` is done, or the next one before it is put into use.',
  }),
  operatorToken: optional(bearerToken, {
    env: 'OPERATOR_TOKEN',
    group: 'Secrets',
    secret: true,
    requiredWithDatabaseUrl: true,
    defaultText: 'generated once and kept in DATA_DIR/operator-token',
    meaning: 'What callers of the operator API send as `Authorization: Bearer …`.',
  }),
  ...signInSettings,
  ...alertSettings,
  ...messageSettings,
  outboundAllow: withDefault(allowList, {
    env: 'OUTBOUND_ALLOW',
    group: 'Calls to others',
    default: '',
    defaultText: 'none; the sandbox adds the loopback networks',
    meaning:
      "Addresses that merchants' servers may have besides public https addresses. A `host:port` may resolve to anything.",
  }),
  merchantTimeoutMs: withDefault(duration('10ms', '10m'), {
    env: 'MERCHANT_TIMEOUT',
    group: 'Calls to others',
    default: '10s',
    meaning: "How long a merchant's server may take to answer the final check completely.",
  }),
  pspTimeoutMs: withDefault(duration('10ms', '10m'), {
    env: 'PSP_TIMEOUT',
    group: 'Calls to others',
    default: '30s',
    meaning: 'How long a PSP may take to answer. A charge without an answer is looked up later.',
  }),
  ...pspUrls(),
  webhookTimeoutMs: withDefault(duration('10ms', '10m'), {
    env: 'WEBHOOK_TIMEOUT',
    group: 'Calls to others',
    default: '15s',
    meaning: "How long a merchant's server may take to acknowledge a webhook.",
  }),
  webhookSignatureValidityMs: withDefault(duration('1s', '1d'), {
    env: 'WEBHOOK_SIGNATURE_VALIDITY',
    group: 'Calls to others',
    default: '300s',
    meaning:
      "How long after a send its signature is valid; not less than WEBHOOK_TIMEOUT. Leave room for the difference between the machines' clocks.",
  }),
  recoveryRateLimitPerMinute: withDefault(requestsPerMinute, {
    env: 'RECOVERY_RATE_LIMIT_PER_MINUTE',
    group: 'Work',
    default: '60000',
    meaning:
      'Requests other than reads that one merchant may send to the recovery API in a minute, and signed webhooks that its PSPs may send. Within a second, up to twice the even share is processed; the rest waits.',
  }),
  disputesRateLimitPerMinute: withDefault(requestsPerMinute, {
    env: 'DISPUTES_RATE_LIMIT_PER_MINUTE',
    group: 'Work',
    default: '30000',
    meaning: 'The same for the disputes API.',
  }),
  readRateLimitPerMinute: withDefault(requestsPerMinute, {
    env: 'READ_RATE_LIMIT_PER_MINUTE',
    group: 'Work',
    default: '6000',
    meaning: 'Reads (GET) of one merchant in a minute, for each API.',
  }),
  operatorRateLimitPerMinute: withDefault(requestsPerMinute, {
    env: 'OPERATOR_RATE_LIMIT_PER_MINUTE',
    group: 'Work',
    default: '12000',
    meaning: 'Requests to the operator API in a minute, reads and others each.',
  }),
  strangerRateLimitPerMinute: withDefault(requestsPerMinute, {
    env: 'STRANGER_RATE_LIMIT_PER_MINUTE',
    group: 'Work',
    default: '1200',
    meaning:
      'Requests in a minute from one address (for IPv6, one /64 network) that has not yet proved who it is: no valid key, password or signed webhook so far. They wait for their turn; a flood is refused. Public pages and probes may be requested twice as often.',
  }),
  writesInFlight: withDefault(atOnce, {
    env: 'WRITES_IN_FLIGHT',
    group: 'Work',
    default: '64',
    meaning:
      'Requests other than reads of one merchant that each API works on at once; more wait, a thousand at most.',
  }),
  readsInFlight: withDefault(atOnce, {
    env: 'READS_IN_FLIGHT',
    group: 'Work',
    default: '4',
    meaning: 'The same for reads. The operator has twice as many.',
  }),
  shedAtDelayMs: withDefault(duration('0ms', '1m'), {
    env: 'SHED_AT_DELAY',
    group: 'Work',
    default: '250ms',
    meaning:
      "How late this process's timers may be (median over a second) before it refuses work (503 with Retry-After): first, requests that would wait behind others of the same sender; at twice this, reads and callers who have not yet proved who they are; at four times, all other requests; at eight times, webhooks of PSPs too. Each stage ends at half its threshold. Probes are always answered. `0ms`: never refuse.",
  }),
  connectionsPerAddress: withDefault(wholeNumber(1, 1_000_000), {
    env: 'CONNECTIONS_PER_ADDRESS',
    group: 'Listening',
    default: '2000',
    meaning:
      'Connections that one address may have open to each port. Those of TRUSTED_PROXIES are not counted.',
  }),
  analyticsActiveMonths: withDefault(wholeNumber(1, maxKeptMonths), {
    env: 'ANALYTICS_ACTIVE_MONTHS',
    group: 'Data',
    default: '13',
    meaning:
      "Months after which checkouts' analytics records are archived: they are then used only for disputes that arrive late.",
  }),
  analyticsKeptMonths: withDefault(wholeNumber(1, maxKeptMonths), {
    env: 'ANALYTICS_KEPT_MONTHS',
    group: 'Data',
    default: '15',
    meaning:
      'Months after which they are erased, unless a dispute holds them; not less than ANALYTICS_ACTIVE_MONTHS.',
  }),
  archiveAfterDays: withDefault(wholeNumber(90, 3_650), {
    env: 'ARCHIVE_AFTER_DAYS',
    group: 'Data',
    default: '400',
    meaning:
      'Days after its last change until an ended payment is moved to the compact archive. Lists and its own page still show it; the event log and bulk replays no longer reach its webhooks.',
  }),
  attemptConcurrency: withDefault(atOnce, {
    env: 'ATTEMPT_CONCURRENCY',
    group: 'Work',
    default: '256',
    meaning: 'Attempts that this process runs at the same time.',
  }),
  deliveryConcurrency: withDefault(atOnce, {
    env: 'DELIVERY_CONCURRENCY',
    group: 'Work',
    default: '256',
    meaning: 'Webhooks that this process sends at the same time.',
  }),
  perMerchantConcurrency: withDefault(atOnce, {
    env: 'PER_MERCHANT_CONCURRENCY',
    group: 'Work',
    default: '64',
    meaning: 'The share of either that one merchant may use, so that none waits for another.',
  }),
  learnedPolicy: withDefault(yesOrNo, {
    env: 'LEARNED_POLICY',
    group: 'Work',
    default: 'true',
    meaning:
      'Whether models plan for merchants with the learned policy. `false` is the switch that stops them all: from their next plan on, payments go by the fixed days of their merchants.',
  }),
  attemptLeaseMs: withDefault(duration('100ms', '1d'), {
    env: 'ATTEMPT_LEASE',
    group: 'Work',
    default: '120s',
    meaning:
      'How long an attempt belongs to the process that took it. If that process dies, another takes over after this time; not less than MERCHANT_TIMEOUT and PSP_TIMEOUT together.',
  }),
  deliveryLeaseMs: withDefault(duration('100ms', '1d'), {
    env: 'DELIVERY_LEASE',
    group: 'Work',
    default: '60s',
    meaning: 'The same for the delivery of a webhook; more than WEBHOOK_TIMEOUT.',
  }),
  logLevel: withDefault(oneOf(logLevels), {
    env: 'LOG_LEVEL',
    group: 'Logs',
    default: 'info',
    meaning: 'The lowest level that is logged. Logs go to standard error, as JSON.',
  }),
  ...tracingSettings,
  operatorUrl: optional(httpUrl, {
    env: 'OPERATOR_URL',
    group: 'Command line',
    defaultText: '`http://`, HOST and OPERATOR_PORT',
    meaning:
      'How the operator port is reached, such as `https://recoup.example.com`. The `recoup` command finds the operator API there, and browsers return there after signing in.',
  }),
};

export type SettingKey = keyof typeof settings;

/** The value of each setting by its key, as read; a setting without a default may have none. */
export type SettingValues = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends Setting<infer Value> & {
    readonly default: string;
  }
    ? Value
    : (typeof settings)[Key] extends Setting<infer Value>
      ? Value | undefined
      : never;
};

type PspUrls = { readonly [Name in OutsidePsp as `${Name}Url`]: Setting<string> };

/** One for each PSP that is called at an address outside. */
function pspUrls(): PspUrls {
  const entries = outsidePsps.map((psp) => {
    const { name } = pspFacts[psp];
    const setting = optional(httpUrl, {
      env: `${psp.toUpperCase()}_URL`,
      group: 'Calls to others',
      defaultText: `${name}'s public address`,
      meaning: `The address of the API of ${name}, such as a test server or a proxy. Every connection to ${name} uses it.`,
    });
    return [`${psp}Url`, setting] as const;
  });
  return Object.fromEntries(entries) as PspUrls;
}
