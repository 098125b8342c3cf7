import { createContext, useContext } from 'react';

/** Whether an operator of all merchants looks, who may ask for what is about them all. */
export const SeesAll = createContext(false);

export function useSeesAll(): boolean {
  return useContext(SeesAll);
}
