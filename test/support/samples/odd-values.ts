/** JSON values, as texts, that no sender means and that code easily handles wrongly. */
const quoted = (text: string, times = 1): string => JSON.stringify(text.repeat(times));
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + 1 + close.repeat(depth);

const numbers = [
  ...['0', '-0', '1', '-1', '1.0', '1.10', '-0.0', '0.5', '1e0', '1E+2', '1e300', '-1e300', '1e-300', '1e21'],
  ...['9007199254740993', '12345678901234567890', '0.12345678901234567890', '1'.repeat(100), '7'.repeat(1024)],
];
const texts = [
  ...['', ' ', '0', '1.0', '1e300', 'true', 'null', '__proto__', 'constructor', 'toString', '[object Object]'].map(
    (text) => quoted(text),
  ),
  ...['2023-02-29', '2024-02-29', '12:00', '=1+1', '../..', '%00', '"', ',', '\0', '\n', '\u202e', '\ufffd'].map(
    (text) => quoted(text),
  ),
  ...[String.raw`"\ud800"`, String.raw`"a\udfff"`, String.raw`"\udc00\ud800"`],
  ...[quoted('x', 1024), quoted('x', 1025), quoted('é', 512), quoted('😀', 1024), quoted('x', 17_000)],
];
const lists = ['[]', '[[]]', '[null]', '[1.0]', '["a"]', '[{}]', '[1e300,[-0]]', nested('[', ']', 900)];
const objects = [
  ...['{}', '{"a":1.0}', '{"":null}', '{"toString":1}', '{"valueOf":null}', '{"toString":null,"valueOf":null}'],
  ...['{"toJSON":1}', '{"rawJSON":"1"}', '{"length":-1}', '{"then":1}', '{"constructor":{"prototype":1.0}}'],
  ...['{"__proto__":1.0}', '{"__proto__":{"toString":1}}', String.raw`{"\ud800":1}`, '{"a.b":1,"a":{"b":-0}}'],
  nested('{"a":', '}', 900),
];

export const oddValues: readonly string[] = ['null', 'true', 'false', ...numbers, ...texts, ...lists, ...objects];
