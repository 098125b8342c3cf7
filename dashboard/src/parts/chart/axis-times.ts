const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const year = new Intl.DateTimeFormat(undefined, { year: 'numeric' });
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' });
const minute = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const hourS = 3_600;
const dayS = 86_400;

/**
 * The times under a chart as the viewer's language and zone write them: `ticks` in seconds since 1970, so
 * many apart. What is larger than they tell, the day of hours and the year of days, stands under the first of it.
 */
export function axisTimes(ticks: readonly number[], apartS: number): readonly string[] {
  const [own, larger] =
    apartS >= dayS ? [day, year] : apartS >= hourS ? [hour, day] : [minute, day];
  let before = '';
  return ticks.map((tick) => {
    const at = new Date(tick * 1_000);
    const of = larger.format(at);
    const text = of === before ? own.format(at) : `${own.format(at)}\n${of}`;
    before = of;
    return text;
  });
}
