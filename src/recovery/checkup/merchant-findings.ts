import { pspTitle } from '../../domain/psps/psp-name.ts';
import type { MerchantView } from '../operator-api.ts';
import type { CheckupPorts, FailingDeliveries, UnansweredChecks } from './checkup-ports.ts';
import type { Finding } from './finding.ts';

/** What the figures and the outside parties of each merchant mean. */

export function deliveryFindings(failing: readonly FailingDeliveries[]): readonly Finding[] {
  if (failing.length === 0) {
    return [{ check: 'deliveries', verdict: 'good', found: 'Every webhook arrives.' }];
  }
  return failing.map(({ merchantId, failing: waiting, exhausted, lastError }) => ({
    check: 'deliveries',
    verdict: exhausted > 0 ? 'bad' : 'warning',
    found: `${waiting} webhooks fail and ${exhausted} were given up in the last 7 days${lastError === undefined ? '.' : `: ${lastError}`}`,
    action: `Fix the merchant's webhook server, then run recoup deliveries replay-all ${merchantId} --from <time>.`,
    merchantId,
  }));
}

/** Servers that may well be reached, and give no usable answer to the final check. */
export function unansweredFindings(unanswered: readonly UnansweredChecks[]): readonly Finding[] {
  return unanswered.map(({ merchantId, payments, lastAskedAt, lastAnswer }) => ({
    check: 'endpoint',
    verdict: 'warning',
    found: `${payments} payments wait, since the final check gets no usable answer. The last, at ${lastAskedAt.toISOString()}: ${lastAnswer}`,
    action: `Mend what answers at the merchant's retry_status_url, or correct that address or its auth (recoup merchants update ${merchantId}). Each payment is asked about again within hours by itself, or at once by recoup payments bulk retry ${merchantId}.`,
    merchantId,
  }));
}

/** Both addresses of a merchant: each server once. */
export async function endpointFindings(
  ports: Pick<CheckupPorts, 'reach'>,
  { merchantId, retryStatusUrl, webhookUrl }: MerchantView,
): Promise<readonly Finding[]> {
  const origins = [
    ...new Set([retryStatusUrl, webhookUrl].map((url) => URL.parse(url)?.origin ?? url)),
  ];
  return Promise.all(
    origins.map(async (origin): Promise<Finding> => {
      const reach = await ports.reach(origin);
      if (reach.kind === 'reached') {
        return { check: 'endpoint', verdict: 'good', found: `${origin} is reached.`, merchantId };
      }
      return {
        check: 'endpoint',
        verdict: 'bad',
        found: `${origin} cannot be reached: ${reach.detail}`,
        action:
          "Check the merchant's name, certificate and firewall; a server inside your network belongs in OUTBOUND_ALLOW.",
        merchantId,
      };
    }),
  );
}

export async function pspFindings(
  ports: Pick<CheckupPorts, 'testPsp'>,
  { merchantId, psps }: MerchantView,
): Promise<readonly Finding[]> {
  const tested = await Promise.all(
    psps.map(async (psp): Promise<readonly Finding[]> => {
      const check = await ports.testPsp({ merchantId, psp });
      switch (check?.kind) {
        case undefined:
          return [];
        case 'accepted': {
          const warnings = check.warnings ?? [];
          if (warnings.length === 0) {
            const found = `${pspTitle(psp)} accepts the credentials.`;
            return [{ check: 'psp', verdict: 'good', found, merchantId }];
          }
          const found = `${pspTitle(psp)} accepts the credentials, but: ${warnings.join(' ')}`;
          const action = "Give the key the missing permissions in the processor's settings.";
          return [{ check: 'psp', verdict: 'warning', found, action, merchantId }];
        }
        case 'unreachable': {
          const found = `${pspTitle(psp)} does not answer: ${check.reason}`;
          const action = 'Check your outbound network, and the status page of the processor.';
          return [{ check: 'psp', verdict: 'warning', found, action, merchantId }];
        }
        case 'refused': {
          const found = `${pspTitle(psp)} refuses the credentials: ${check.reason}`;
          const action = `Run recoup psps connect ${merchantId} ${psp} --from <file> with valid ones.`;
          return [{ check: 'psp', verdict: 'bad', found, action, merchantId }];
        }
      }
    }),
  );
  return tested.flat();
}
