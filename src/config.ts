import { AppError } from './domain/errors.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import type { Setting } from './setting.ts';
import { type SettingKey, type SettingValues, settings } from './settings.ts';

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting as the service uses it: durations in milliseconds, lists split, defaults filled. */
export interface Config extends SettingValues {
  readonly sandbox: boolean;
}

const keys = Object.keys(settings) as readonly SettingKey[];

/** Merchants of the sandbox run on the machine itself. */
const loopbackNetworks = ['127.0.0.0/8', '::1/128'];

/**
 * Reads and judges all settings at once. Throws one AppError config_invalid that names every faulty
 * setting with its value; a secret's value is never in it.
 */
export function parseConfig(env: Environment): Config {
  const faults: string[] = [];
  const values = readAll(env, keys, faults);
  if (values.databaseUrl !== undefined) faults.push(...missingSecrets(env));
  // A relation is judged only between values that could be read.
  if (faults.length === 0) faults.push(...brokenRelations(values));
  if (faults.length > 0) throw invalid(faults);
  const sandbox = values.sandbox ?? values.databaseUrl === undefined;
  const outboundAllow = sandbox
    ? Object.freeze([...values.outboundAllow, ...loopbackNetworks])
    : values.outboundAllow;
  return Object.freeze({ ...values, sandbox, outboundAllow });
}

/**
 * Reads some settings alone, for a program that needs no others: a fault elsewhere does not stop
 * it. Throws AppError config_invalid like parseConfig.
 */
export function parseSettings<Key extends SettingKey>(
  env: Environment,
  wanted: readonly Key[],
): Pick<SettingValues, Key> {
  const faults: string[] = [];
  const values = readAll(env, wanted, faults);
  if (faults.length > 0) throw invalid(faults);
  return values;
}

function readAll<Key extends SettingKey>(
  env: Environment,
  wanted: readonly Key[],
  faults: string[],
): Pick<SettingValues, Key> {
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of wanted) values[key] = readOne(settings[key], env, faults);
  return values as Pick<SettingValues, Key>;
}

function readOne(setting: Setting<unknown>, env: Environment, faults: string[]): unknown {
  const text = env[setting.env] ?? setting.default;
  if (text === undefined) return undefined;
  // An empty variable is a slip more often than a wish: DATABASE_URL= must not start a sandbox.
  if (text === '' && setting.default !== '') {
    faults.push(`${setting.env} is empty; unset it or give it a value`);
    return undefined;
  }
  const reading = setting.type.read(text);
  if ('value' in reading) return reading.value;
  const given = setting.secret ? '' : ` is ${quoted(text)} but`;
  faults.push(`${setting.env}${given} ${reading.fault}`);
  return undefined;
}

function missingSecrets(env: Environment): string[] {
  const slips = misspeltSettings(env);
  return Object.values<Setting<unknown>>(settings)
    .filter((setting) => setting.requiredWithDatabaseUrl && env[setting.env] === undefined)
    .map((setting) => {
      const slip = slips.find(({ meant }) => meant === setting.env);
      const hint = slip === undefined ? '' : ` (${slip.variable} is no setting)`;
      return `${setting.env} must be set when DATABASE_URL is${hint}`;
    });
}

/** What two settings must not be together. */
function brokenRelations(values: SettingValues): string[] {
  const { merchantTimeoutMs, pspTimeoutMs, webhookTimeoutMs } = values;
  const faults = sharedPorts(values);
  if (values.attemptLeaseMs < merchantTimeoutMs + pspTimeoutMs) {
    faults.push(
      `ATTEMPT_LEASE is ${values.attemptLeaseMs}ms but must not be less than MERCHANT_TIMEOUT and PSP_TIMEOUT together (${merchantTimeoutMs + pspTimeoutMs}ms), or a second process takes over an attempt that is still running`,
    );
  }
  if (values.deliveryLeaseMs <= webhookTimeoutMs) {
    faults.push(
      `DELIVERY_LEASE is ${values.deliveryLeaseMs}ms but must be more than WEBHOOK_TIMEOUT (${webhookTimeoutMs}ms), or a second process sends a webhook that is still being sent`,
    );
  }
  if (values.webhookSignatureValidityMs < webhookTimeoutMs) {
    faults.push(
      `WEBHOOK_SIGNATURE_VALIDITY is ${values.webhookSignatureValidityMs}ms but must not be less than WEBHOOK_TIMEOUT (${webhookTimeoutMs}ms), or a webhook can expire in transit`,
    );
  }
  if (values.drainTimeMs < (values.drainDelayMs ?? 0)) {
    faults.push(
      `DRAIN_TIME is ${values.drainTimeMs}ms but must not be less than DRAIN_DELAY (${values.drainDelayMs}ms)`,
    );
  }
  if (values.analyticsKeptMonths < values.analyticsActiveMonths) {
    faults.push(
      `ANALYTICS_KEPT_MONTHS is ${values.analyticsKeptMonths} but must not be less than ANALYTICS_ACTIVE_MONTHS (${values.analyticsActiveMonths})`,
    );
  }
  if ((values.oidcIssuer === undefined) !== (values.oidcClientId === undefined)) {
    faults.push('OIDC_ISSUER and OIDC_CLIENT_ID must be set together');
  }
  if ((values.smtpUrl === undefined) !== (values.alertSender === undefined)) {
    faults.push('SMTP_URL and ALERT_SENDER must be set together');
  }
  return faults;
}

/** Ports that this process would listen on twice. */
function sharedPorts(values: SettingValues): string[] {
  const { roles, sandbox, databaseUrl, sandboxPspUrl } = values;
  const isSandbox = sandbox ?? databaseUrl === undefined;
  const used: SettingKey[] = values.probePort === undefined ? [] : ['probePort'];
  if (roles.includes('api')) used.push('recoveryPort', 'disputesPort');
  if (roles.includes('operator')) used.push('operatorPort');
  if (isSandbox && roles.includes('operator')) used.push('demoMerchantPort');
  if (isSandbox && roles.includes('worker') && sandboxPspUrl === undefined) {
    used.push('sandboxPspPort');
  }
  const faults: string[] = [];
  const takenBy = new Map<unknown, string>();
  for (const key of used) {
    const name = settings[key].env;
    const value = values[key];
    const other = takenBy.get(value);
    if (other !== undefined && value !== 0) faults.push(`${name} is ${value} but so is ${other}`);
    takenBy.set(value, name);
  }
  return faults;
}

function invalid(faults: readonly string[]): AppError {
  return new AppError('config_invalid', `${faults.join('; ')}.`);
}

const longestShown = 80;

/** A value on one line, whatever is in it. */
function quoted(text: string): string {
  const cut = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return JSON.stringify(cut).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
