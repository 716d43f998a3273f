/** The block of the page that shows the output of the command. */
const block = /(```text\n)US dollars a month[\s\S]*?(\n```)/;

/** The page with this output. @throws Error if the page has no such block */
export function pageWith(page: string, output: string): string {
  if (!block.test(page)) throw new Error('docs/performance.md has no block that begins with "US dollars a month"');
  return page.replace(block, (_, before: string, after: string) => `${before}${output}${after}`);
}
