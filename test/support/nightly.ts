import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    isNightly: boolean;
  }
}

/** Whether a test runs in its long form. `npm test` runs the short form of the same test. */
export const isNightly: boolean = inject('isNightly');
