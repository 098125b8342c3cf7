/** What loading a part of the dashboard asks of the tab it is in. */
export interface Tab {
  /** Whether it was loaded anew for this address already, and nothing was loaded since. */
  wasReloaded(): boolean;
  noteReload(): void;
  forgetReload(): void;
  /** Resolves once the service answers. */
  untilAnswered(): Promise<void>;
  reload(): void;
}

/**
 * Loads a part of the dashboard. Where that fails the tab is from before an upgrade, whose parts are gone,
 * or the service is being restarted: the tab is loaded anew once, when the service answers again.
 */
export async function loadView<View>(tab: Tab, load: () => Promise<View>): Promise<View> {
  try {
    const view = await load();
    tab.forgetReload();
    return view;
  } catch (error) {
    if (tab.wasReloaded()) throw error;
    await tab.untilAnswered();
    tab.noteReload();
    tab.reload();
    // Until the tab is gone: what would be shown instead is no answer.
    return new Promise(() => {});
  }
}
