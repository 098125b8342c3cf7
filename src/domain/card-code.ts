/**
 * A card verification number on its way from a merchant's answer to the PSP. It may never be kept
 * after the authorisation, not even encrypted (PCI DSS 3.3.1), so it lives in a private field of an
 * object that refuses to be written anywhere; `reveal` is for a PSP adapter's request alone.
 */
export class CardCode {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  reveal(): string {
    return this.#digits;
  }

  toJSON(): never {
    throw new TypeError('A card verification number is never written.');
  }

  toString(): string {
    return '[card code]';
  }

  [Symbol.toPrimitive](): string {
    return '[card code]';
  }

  get [Symbol.toStringTag](): string {
    return 'CardCode';
  }
}
