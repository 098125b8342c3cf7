import { AppError } from '../../domain/errors.ts';
import type { MerchantAuth } from '../../domain/merchant.ts';
import type { MerchantChange } from '../operator-api.ts';
import { policyFaults } from './check-policy.ts';
import { pspFaults, secretLength } from './check-psps.ts';
import type { CheckMerchantUrl } from './ports.ts';
import { type TestedConnection, type TestPspDeps, testConnections } from './psp-accounts.ts';

const nameLength = 200;
const controls = /\p{Cc}/u;
/** What an HTTP header can carry without being changed on its way. */
const visibleAscii = /^[!-~](?:[ -~]*[!-~])?$/;

export interface CheckMerchantDeps extends TestPspDeps {
  readonly checkMerchantUrl: CheckMerchantUrl;
}

/**
 * Refuses what a merchant cannot have, every fault in one sentence that names its field. Fields that
 * are absent are not judged. Answers the connections with what their PSPs said of them.
 *
 * @throws AppError invalid_request, merchant_url_refused, psp_credentials_refused
 */
export async function checkMerchant(
  deps: CheckMerchantDeps,
  fields: MerchantChange,
): Promise<readonly TestedConnection[]> {
  const faults = [
    ...(fields.name === undefined ? [] : nameFaults(fields.name)),
    ...(fields.auth === undefined ? [] : authFaults(fields.auth)),
    ...(fields.psps === undefined ? [] : pspFaults(fields.psps, deps.supportedPsps)),
    ...(fields.policy === undefined ? [] : policyFaults(fields.policy)),
  ];
  if (faults.length > 0) throw new AppError('invalid_request', faults.join(' '));
  await refuseUrl(deps, 'retry_status_url', fields.retryStatusUrl);
  await refuseUrl(deps, 'webhook_url', fields.webhookUrl);
  return await testConnections(deps, fields.psps ?? []);
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

export function authFaults(auth: MerchantAuth): string[] {
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

/** No control characters (PostgreSQL refuses NUL) and no half of a surrogate pair. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !controls.test(text);
}
