/**
 * Which of the media types on offer a client would rather have, by its Accept header (RFC 9110, 12.5.1):
 * the most specific range that names a type decides, and of equals the first on offer. Undefined where
 * it takes none of them. Without a header it takes anything.
 */
export function chooseMediaType<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  const ranges = rangesIn(accept?.trim() || '*/*');
  let best: { offer: Offer; weight: number } | undefined;
  for (const offer of offers) {
    const weight = weightOf(offer, ranges);
    if (weight > (best?.weight ?? 0)) best = { offer, weight };
  }
  return best?.offer;
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

function rangesIn(accept: string): readonly Range[] {
  return accept.split(',').map((text) => {
    const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : weightIn(weight) };
  });
}

/** A weight that is none counts as none. */
function weightIn(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

function weightOf(offer: string, ranges: readonly Range[]): number {
  const wanted = [offer, `${offer.split('/')[0]}/*`, '*/*'];
  for (const type of wanted) {
    const found = ranges.find((range) => range.type === type);
    if (found !== undefined) return found.weight;
  }
  return 0;
}
