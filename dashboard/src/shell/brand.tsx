import { Mark } from '../parts/mark.tsx';

export function Brand({ sandbox }: { readonly sandbox: boolean }) {
  return (
    <span className="brand">
      <Mark /> Recoup {sandbox && <span className="tag">sandbox</span>}
    </span>
  );
}
