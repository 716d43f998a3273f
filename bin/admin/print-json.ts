/** Prints the value as one line of JSON. A generator is printed as an array, value by value, and never held whole. */
export async function printJson(value: unknown): Promise<void> {
  if (!isGenerator(value)) {
    console.log(JSON.stringify(value));
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

/** Waits where the reader of a pipe is slow, so that what is not read yet does not pile up. */
async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}
