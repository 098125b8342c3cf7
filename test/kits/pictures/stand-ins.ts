import type { Page } from 'playwright-core';

/**
 * What a service makes by chance and shows, and what stands in its place on a picture: of the same form,
 * so that it takes as much room. All else of the world is the same at every run.
 */
const standIns: readonly {
  readonly what: string;
  readonly pattern: string;
  readonly instead: string;
}[] = [
  {
    what: 'ids of disputes and operators, which the service draws as it makes them',
    pattern: '\\b(dis|op)_[0-9a-hjkmnp-tv-z]{24}\\b',
    instead: '$1_3fz9c0m7q2w5k8t1x4b6n0hd',
  },
  {
    what: 'the port of a server of this run, which is any free one',
    pattern: '\\b127\\.0\\.0\\.1:\\d{4,5}\\b',
    instead: '127.0.0.1:40000',
  },
];

/** Puts them into the page as it is drawn now. `more`: texts of this run, and what stands in for each. */
export async function putStandIns(
  page: Page,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const given = Object.entries(more).map(([pattern, instead]) => ({ pattern, instead }));
  await page.evaluate(`(() => {
    const standIns = ${JSON.stringify([...standIns, ...given])};
    const mend = (text) => standIns.reduce(
      (mended, { pattern, instead }) => mended.replace(new RegExp(pattern, 'g'), instead), text);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const mended = mend(node.data);
      if (mended !== node.data) node.data = mended;
    }
  })()`);
}
