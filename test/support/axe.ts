import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds on the page: impact, rule, first element and what is wrong with it. Only this is computed and leaves the
 * page, because the full result has a megabyte.
 */
export async function axeFindings(page: Page | Frame, { only = [] as string[] } = {}): Promise<string[]> {
  if (await page.evaluate('!window.axe')) await page.evaluate(script);
  const options = { resultTypes: ['violations'], ...(only.length > 0 ? { runOnly: only } : {}) };
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, impact, nodes: [node] }) => [impact, id, node.html, node.any[0]?.message].join(' ')))`);
}
