import type { CardCode } from '../domain/card-code.ts';
import type { ChargeResult } from '../recovery/psp-ports.ts';

const placeholder = '[card code]';

/**
 * The result with the card verification number of its request taken out of every free text. A PSP
 * may repeat a request in its words, and those words are kept, shown and logged. Ids and codes stay
 * as they came: three digits occur in them by chance.
 */
export function withoutCardCode(
  result: ChargeResult,
  cardCode: CardCode | undefined,
): ChargeResult {
  if (cardCode === undefined || cardCode.reveal() === '') return result;
  const clean = (text: string) => text.replaceAll(cardCode.reveal(), placeholder);
  switch (result.kind) {
    case 'succeeded':
      return result;
    case 'declined': {
      const { message } = result.decline;
      if (message === undefined) return result;
      return { ...result, decline: { ...result.decline, message: clean(message) } };
    }
    case 'paid_elsewhere':
    case 'unknown':
    case 'not_made':
      return { ...result, reason: clean(result.reason) };
  }
}
