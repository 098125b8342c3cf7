import { Tip } from './tip.tsx';

/** A long id in a narrow column: its beginning, and all of it where one points at it. */
export function Clipped({ text }: { readonly text: string }) {
  return (
    <Tip text={text}>
      <span className="clipped">{text}</span>
    </Tip>
  );
}
