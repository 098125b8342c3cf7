import type { Decline } from '../../../domain/declines/decline.ts';
import { codeClassOf } from './belief-parameters.ts';

/** ISO 8583: not sufficient funds, and over the limit of the amount or the account. */
const fundsCodes: readonly string[] = ['51', '61', '116', '121'];

/** Whether a charge was declined for want of funds, by the network's code or else by the PSP's own. */
export function lacksFunds(decline: Decline): boolean {
  const { networkCode } = decline;
  return fundsCodes.includes(networkCode ?? '') || codeClassOf(decline) === 'funds';
}
