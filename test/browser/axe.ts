import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Defines axe when it is called, so that other documents of the page are as without it. */
const loader = `window.loadAxe=()=>{${script}\n}`;
/** Pages whose documents contain the loader. To send the script to each document takes longer than to load it. */
const prepared = new WeakSet<Page>();

async function loadAxe(target: Page | Frame): Promise<void> {
  if (await target.evaluate('window.axe||window.loadAxe?.(),!!window.axe')) return;
  const page = 'page' in target ? target.page() : target;
  if (!prepared.has(page)) await page.addInitScript({ content: loader });
  prepared.add(page);
  await target.evaluate(script);
}

/**
 * What axe finds on the page: impact, rule, first element and what is wrong with it. Only this is computed and leaves the
 * page, because the full result has a megabyte.
 */
export async function axeFindings(target: Page | Frame, { only = [] as string[] } = {}): Promise<string[]> {
  await loadAxe(target);
  const options = { resultTypes: ['violations'], ...(only.length > 0 ? { runOnly: only } : {}) };
  return target.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, impact, nodes: [node] }) => [impact, id, node.html, node.any[0]?.message].join(' ')))`);
}
