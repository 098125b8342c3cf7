import type { Tab } from './load-view.ts';
import { noteAway } from './service-away.ts';

const storageKey = 'recoup.reloaded';
const askAgainMs = 1_000;

/** The tab that this runs in. */
export const browserTab: Tab = {
  wasReloaded: () => sessionStorage.getItem(storageKey) === window.location.pathname,
  noteReload: () => sessionStorage.setItem(storageKey, window.location.pathname),
  forgetReload: () => sessionStorage.removeItem(storageKey),
  async untilAnswered() {
    for (;;) {
      const answer = await fetch('/', { method: 'HEAD' }).catch(() => undefined);
      noteAway(answer?.ok !== true);
      if (answer?.ok === true) return;
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
  },
  reload: () => window.location.reload(),
};
