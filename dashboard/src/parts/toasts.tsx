import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const ShowToast = createContext<(text: string) => void>(() => undefined);

const shownMs = 6_000;

/** Says in a corner what was done; a screen reader hears it too. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback((text: string) => {
    const toast = { id: performance.now(), text };
    setToasts((shown) => [...shown, toast]);
    setTimeout(() => setToasts((shown) => shown.filter((each) => each !== toast)), shownMs);
  }, []);
  return (
    <ShowToast value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <p key={toast.id} className="toast">
            {toast.text}
          </p>
        ))}
      </div>
    </ShowToast>
  );
}

/** Shows a line that goes away by itself. */
export function useToast(): (text: string) => void {
  return useContext(ShowToast);
}
