import { test } from 'vitest';
import { missingBrowser } from '../../bench/browser.ts';

if (missingBrowser) console.warn(`${missingBrowser} Until then its tests are skipped.`);

/** A test that drives a browser. Where there is none it counts as skipped, and the reason is printed. */
export const browserTest = test.skipIf(missingBrowser !== undefined);
