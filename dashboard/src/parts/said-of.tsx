/**
 * What is said of somebody, after their name. The name is a piece of its own: one that is written from right to
 * left would else take the figure behind it to its other side.
 */
export function SaidOf({ name, words }: { readonly name: string; readonly words: string }) {
  return (
    <>
      <bdi>{name}</bdi>: {words}
    </>
  );
}
