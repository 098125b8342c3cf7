const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** From ten in the evening to six in the morning. */
const nightFromMs = 22 * hourMs;
const nightMs = 8 * hourMs;

export interface Night {
  readonly from: number;
  readonly to: number;
}

/** The nights of a zone between two instants, cut to them. */
export function nightsOf(input: {
  readonly from: number;
  readonly to: number;
  readonly offsetMinutes: number;
}): readonly Night[] {
  const { from, to, offsetMinutes } = input;
  const offsetMs = offsetMinutes * 60_000;
  const nights: Night[] = [];
  const firstDay = Math.floor((from + offsetMs) / dayMs) - 1;
  for (let day = firstDay; ; day += 1) {
    const begin = day * dayMs + nightFromMs - offsetMs;
    if (begin >= to) return nights;
    const night = { from: Math.max(begin, from), to: Math.min(begin + nightMs, to) };
    if (night.to > night.from) nights.push(night);
  }
}
