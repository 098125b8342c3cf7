const words: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  elo: 'Elo',
};

/** A card network by the name that people know it by. */
export function networkName(network: string): string {
  return words[network] ?? network;
}
