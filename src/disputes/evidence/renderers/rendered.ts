/** What a renderer could not give, and why: the merchant may add it by hand. */
export interface LeftOut {
  readonly field: string;
  readonly why: string;
}

/** A packet in one PSP's own form. */
export interface Rendered<Body> {
  readonly body: Body;
  readonly leftOut: readonly LeftOut[];
}

/** Collects what was left out while a body is being made. */
export interface Notes {
  readonly leftOut: LeftOut[];
  /** The text if it fits, else its beginning with a mark, which is noted. */
  readonly cut: (field: string, text: string, limit: number) => string;
  readonly without: (field: string, why: string) => undefined;
}

const mark = ' […]';

export function takeNotes(): Notes {
  const leftOut: LeftOut[] = [];
  const without = (field: string, why: string): undefined => {
    leftOut.push({ field, why });
  };
  return {
    leftOut,
    without,
    cut: (field, text, limit) => {
      if (text.length <= limit) return text;
      without(field, `cut to the ${limit} characters that the PSP takes, of ${text.length}`);
      return `${wholeCharacters(text, limit - mark.length)}${mark}`;
    },
  };
}

/** Cuts between characters, never inside a pair of UTF-16 surrogates. */
function wholeCharacters(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
