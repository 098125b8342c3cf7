import { AppError } from '../../domain/errors.ts';
import type { MerchantAuth } from '../../domain/merchant.ts';
import type { MerchantChange, PspConnection } from '../operator-api.ts';
import { policyFaults } from './check-policy.ts';
import type { CheckMerchantUrl, PspCredentialField, SupportedPsps } from './ports.ts';

const nameLength = 200;
/** Longest secret of others: PSP keys, even whole RSA keys, stay below. */
const secretLength = 8192;
const controls = /\p{Cc}/u;
/** What an HTTP header can carry without being changed on its way. */
const visibleAscii = /^[!-~](?:[ -~]*[!-~])?$/;

export interface CheckMerchantDeps {
  readonly checkMerchantUrl: CheckMerchantUrl;
  readonly supportedPsps: SupportedPsps;
}

/**
 * Refuses what a merchant cannot have, every fault in one sentence that names its field. Fields that
 * are absent are not judged.
 *
 * @throws AppError invalid_request, merchant_url_refused
 */
export async function checkMerchant(
  deps: CheckMerchantDeps,
  fields: MerchantChange,
): Promise<void> {
  const faults = [
    ...(fields.name === undefined ? [] : nameFaults(fields.name)),
    ...(fields.auth === undefined ? [] : authFaults(fields.auth)),
    ...(fields.psps === undefined ? [] : pspFaults(fields.psps, deps.supportedPsps)),
    ...(fields.policy === undefined ? [] : policyFaults(fields.policy)),
  ];
  if (faults.length > 0) throw new AppError('invalid_request', faults.join(' '));
  await refuseUrl(deps, 'retry_status_url', fields.retryStatusUrl);
  await refuseUrl(deps, 'webhook_url', fields.webhookUrl);
}

async function refuseUrl(
  deps: CheckMerchantDeps,
  field: string,
  url: string | undefined,
): Promise<void> {
  if (url === undefined) return;
  const verdict = await deps.checkMerchantUrl(url);
  if (verdict.kind === 'refused') {
    throw new AppError('merchant_url_refused', `${field} is refused: ${verdict.detail}`);
  }
}

function nameFaults(name: string): string[] {
  if (name.trim() === '') return ['name must not be blank.'];
  if (name.length > nameLength) return [`name must have at most ${nameLength} characters.`];
  if (!isPlainText(name)) return ['name must not hold control characters.'];
  return [];
}

function authFaults(auth: MerchantAuth): string[] {
  switch (auth.type) {
    case 'none':
      return [];
    case 'api_key':
      if (auth.api_key.length <= secretLength && visibleAscii.test(auth.api_key)) return [];
      return [`auth.api_key must be 1 to ${secretLength} visible ASCII characters.`];
    case 'basic':
      return [
        ...basicFaults('auth.username', auth.username),
        ...basicFaults('auth.password', auth.password),
        // RFC 7617, section 2: the first colon ends the user name.
        ...(auth.username.includes(':') ? ['auth.username must not hold a colon.'] : []),
      ];
  }
}

function basicFaults(field: string, text: string): string[] {
  if (text !== '' && text.length <= secretLength && isPlainText(text)) return [];
  return [`${field} must be 1 to ${secretLength} characters without control characters.`];
}

function pspFaults(connections: readonly PspConnection[], supported: SupportedPsps): string[] {
  if (connections.length === 0) return ['psps must name at least one PSP.'];
  const seen = new Set<string>();
  return connections.flatMap((connection, index) => {
    const field = `psps[${index}]`;
    const known = supported[connection.psp];
    if (known === undefined) {
      const names = Object.keys(supported).join(', ');
      return [`${field}.psp must be one of ${names}.`];
    }
    if (seen.has(connection.psp)) return [`${field}.psp names ${connection.psp} a second time.`];
    seen.add(connection.psp);
    return credentialFaults(field, connection, known);
  });
}

function credentialFaults(
  field: string,
  { psp, credentials }: PspConnection,
  known: readonly PspCredentialField[],
): string[] {
  const names = known.map((credential) => credential.name);
  const required = known.filter((credential) => credential.required);
  const missing = required
    .map((credential) => credential.name)
    .filter((name) => !Object.hasOwn(credentials, name));
  const extra = Object.keys(credentials).filter((name) => !names.includes(name));
  const given = names.filter((name) => Object.hasOwn(credentials, name));
  return [
    ...missing.map((name) => `${field}.${name} is required by ${psp}.`),
    // Their names come from outside and may hold anything, a misplaced secret too.
    ...(extra.length > 0 ? [`${field} holds fields that ${psp} does not have.`] : []),
    ...given
      .filter((name) => !isSecretText(credentials[name]))
      .map((name) => `${field}.${name} must be 1 to ${secretLength} characters.`),
  ];
}

function isSecretText(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= secretLength &&
    !value.includes('\0')
  );
}

/** No control characters (PostgreSQL refuses NUL) and no half of a surrogate pair. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !controls.test(text);
}
