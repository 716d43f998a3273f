import * as z from 'zod';

/** What is taken although it is probably not meant. Of each kind, a file has at most one. */
export const fileNotice = z.object({
  kind: z.string(),
  /** Rows with it; 1 for what concerns the whole file. */
  count: z.int(),
  /** The lines on which the first of them begin. */
  first_rows: z.array(z.int()),
  message: z.string(),
});
export type FileNotice = z.output<typeof fileNotice>;

export const maxFirstRows = 10;

/** The notices of a part of a file and of the part after it. */
export function joinedNotices(before: readonly FileNotice[], after: readonly FileNotice[]): FileNotice[] {
  const kinds = new Map(before.map((each) => [each.kind, each]));
  for (const each of after) {
    const { count = 0, first_rows = [] } = kinds.get(each.kind) ?? {};
    const rows = [...first_rows, ...each.first_rows].slice(0, maxFirstRows);
    kinds.set(each.kind, { ...each, count: count + each.count, first_rows: rows });
  }
  return [...kinds.values()];
}

/** As text: `3 rows (2, 7, 9): …`. */
export function noticeText({ count, first_rows, message }: FileNotice): string {
  if (first_rows.length === 0) return message;
  const rows = `${first_rows.join(', ')}${count > first_rows.length ? ', …' : ''}`;
  return `${count === 1 ? `row ${rows}` : `${count} rows (${rows})`}: ${message}`;
}
