/** Heard by the other tabs of this browser. */
const name = 'recoup.signed-out';

/** Tells the other tabs that somebody signed out: they keep nothing of what was shown. */
export function tellSignedOut(): void {
  const others = new BroadcastChannel(name);
  others.postMessage(null);
  others.close();
}

/** Loads this tab anew where one signs out in another; returns what ends that. */
export function reloadOnSignOut(): () => void {
  const others = new BroadcastChannel(name);
  others.onmessage = () => window.location.reload();
  return () => others.close();
}
