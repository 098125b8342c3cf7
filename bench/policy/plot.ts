import type { Comparison } from './compare.ts';
import { recoveredShare } from './intervals.ts';

const [width, row, left] = [860, 22, 180];

/** Shares recovered by policy as bars with their intervals, one block for each setting; SVG. */
export function barChart(comparisons: readonly Comparison[]): string {
  let y = 10;
  const parts = comparisons.flatMap(({ setting, all }) => {
    const { world, maxAttempts, windowDays } = setting;
    y += row;
    const title = `${world.name} world: ${maxAttempts} tries in ${windowDays} days, share recovered`;
    const head = `<text x="10" y="${y}" font-weight="bold">${title}</text>`;
    const bars = all.map((result) => {
      y += row;
      const { value, half } = recoveredShare(result, 'count');
      const x = (share: number) => (left + share * (width - left - 70)).toFixed(1);
      const isOwn = result.policy.startsWith('learned');
      const color = isOwn ? '#1f6f8b' : result.policy === 'clairvoyant' ? '#999999' : '#c9a227';
      return [
        `<text x="${left - 8}" y="${y}" text-anchor="end">${result.policy}</text>`,
        `<rect x="${left}" y="${y - 13}" width="${(value * (width - left - 70)).toFixed(1)}" height="16" fill="${color}"/>`,
        `<line x1="${x(value - half)}" x2="${x(value + half)}" y1="${y - 5}" y2="${y - 5}" stroke="#000000"/>`,
        `<text x="${Number(x(value + half)) + 6}" y="${y}">${(value * 100).toFixed(1)} %</text>`,
      ].join('\n');
    });
    y += row / 2;
    return [head, ...bars];
  });
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + row}" font-family="sans-serif" font-size="13">\n<title>Retry policies compared: shares recovered</title>`;
  return `${open}\n${parts.join('\n')}\n</svg>\n`;
}
