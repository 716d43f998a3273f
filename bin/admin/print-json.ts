import { print, printable } from '../output.ts';

/** Prints the value as one line of JSON. A generator is printed as an array, value by value, so that it is never in memory as a whole. */
export async function printJson(value: unknown): Promise<void> {
  if (!isGenerator(value)) {
    print(JSON.stringify(value));
    return;
  }
  let separator = '[';
  for await (const each of value) {
    await write(`${separator}${JSON.stringify(each)}`);
    separator = ',\n';
  }
  await write(separator === '[' ? '[]\n' : ']\n');
}

const isGenerator = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Prints data as it is, unless a terminal would obey what is in it. */
export const writeData = (text: string): Promise<void> => (process.stdout.isTTY ? write(text) : sent(text));

/** Waits if the reader of a pipe is slow, so that unread output does not fill the memory. */
export const write = (text: string): Promise<void> => sent(printable(text));

async function sent(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}
