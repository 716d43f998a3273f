import { setTimeout as sleep } from 'node:timers/promises';
import { contentCache } from './content.ts';
import { productCache, runtime } from './table.ts';

/** For the function that works the completions that wait. */
export const completionDependencies = () => ({
  ...runtime(),
  content: contentCache(),
  productCache: productCache(),
  sleep: (milliseconds: number) => sleep(milliseconds),
});
