import { useRef, useState } from 'react';
import { announce } from './announced.tsx';

const shownMs = 2_000;

/** A command or an id with a button that copies it. `name`: what it is, where several stand together. */
export function Copyable({ text, name }: { readonly text: string; readonly name?: string }) {
  const [word, setWord] = useState('Copy');
  const shown = useRef<HTMLPreElement>(null);
  const copy = async (): Promise<void> => {
    const isCopied = await copied(text);
    // Where the browser lets nobody copy, one press of the keys for it does.
    if (!isCopied) window.getSelection()?.selectAllChildren(shown.current ?? document.body);
    const next = isCopied ? 'Copied' : 'Marked: copy it';
    setWord(next);
    announce(next);
    setTimeout(() => setWord('Copy'), shownMs);
  };
  return (
    <div className="copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command is scrolled by keys */}
      <pre tabIndex={0} ref={shown}>
        {text}
      </pre>
      <button
        type="button"
        className="button quiet"
        onClick={() => void copy()}
        {...(name !== undefined && { 'aria-label': `${word}: ${name}` })}
      >
        {word}
      </button>
    </div>
  );
}

/** Whether it was; over plain HTTP, and in frames of other sites, browsers let nobody. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
