/** One name and value per line, the values aligned. */
export function listing(entries: Record<string, string>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join('\n');
}

/** The fields of an object as texts for {@link listing}, without those that are `null`. */
export const textsOf = (value: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null && field !== undefined)
      .map(([name, field]) => [name, typeof field === 'string' ? field : JSON.stringify(field)]),
  );

/** `1 chunk`, `2,000 chunks`. */
export const quantity = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** The command that shows how the batch goes on. */
export const watchCommand = (batchId: string, teamId: string): string =>
  `npm run admin -- batch show ${/^[\w.:-]+$/.test(batchId) ? batchId : JSON.stringify(batchId)} --team ${teamId} --watch`;

/** Rows below a line of headings; each column is as wide as its widest cell. `none` is printed if there are no rows. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
