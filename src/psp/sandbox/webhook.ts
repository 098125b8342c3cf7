import type { WebhookReading } from '../../recovery/psp-ports.ts';

/** The sandbox PSP answers calls and sends nothing by itself: whatever comes is not from it. */
export function readSandboxWebhook(): WebhookReading {
  return { kind: 'unverified', reason: 'The sandbox PSP sends no webhooks.' };
}
