/** A card in the world, and when its bank says yes. */
export interface WorldCard {
  readonly debtId: string;
  /** Declined before, paid from then on; Infinity for never. */
  readonly goodFromMs: number;
  /** The code of its declines. */
  readonly code: DeclineCode;
}

export type DeclineCode = 'insufficient_funds' | 'do_not_honor' | 'expired' | 'stolen';

export type Verdict =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly code: DeclineCode };

/** The banks of all cards. */
export interface Issuer {
  readonly cards: Map<string, WorldCard>;
  decide(methodId: string, atMs: number): Verdict;
}

export function createIssuer(): Issuer {
  const cards = new Map<string, WorldCard>();
  return {
    cards,
    decide(methodId, atMs) {
      const card = cards.get(methodId);
      if (card === undefined) return { kind: 'declined', code: 'do_not_honor' };
      return atMs >= card.goodFromMs ? { kind: 'approved' } : { kind: 'declined', code: card.code };
    },
  };
}
