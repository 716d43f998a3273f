import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalNumber,
  isJsonObject,
  isRawNumber,
  isSameScalar,
  type JsonObject,
  MalformedJson,
  maxDepth,
  numberText,
  parseJson,
  scientific,
  setMember,
} from '../../../lib/domain/values/json.ts';
import { jsonErrorPosition } from '../../../lib/domain/values/json-position.ts';

/** Numbers in every form of the JSON grammar. */
const numberLiteral = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat({ max: 999 }).map(String), fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String)),
    fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^[0-9]{1,20}$/).map((digits) => `.${digits}`),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat({ max: 200 })).map(([sign, power]) => `${sign}${power}`),
    ),
  )
  .map((parts) => parts.join(''))
  .filter((text) => Number.isFinite(Number(text)));

/** JSON texts without spaces. */
const key = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', '~', 'u', '0', 'é'), maxLength: 3 }),
  fc.constantFrom('__proto__', 'constructor', '0', '10', 'a.b'),
);
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    numberLiteral,
    fc.string({ maxLength: 8 }).map((value) => JSON.stringify(value)),
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('text'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('text')), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => inOwnOrder(entries))
      .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
}));

/** JavaScript puts keys that look like array indexes first, whatever their order in the text. */
const inOwnOrder = (entries: [string, string][]): [string, string][] =>
  Object.keys(Object.fromEntries(entries)).map((name) => entries.find(([own]) => own === name)!);

describe('parsing JSON', () => {
  test('loses nothing: what is written out again is what was read', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['1'.repeat(1025), `-1.${'0'.repeat(1022)}`, `1e${'0'.repeat(1023)}`, `[1,{"a":${'9'.repeat(1025)}}]`])(
    'refuses a number of more than 1,024 characters',
    (text) => {
      expect(() => parseJson(text)).toThrow(MalformedJson);
    },
  );

  test('takes a number of 1,024 characters, and longer digits in strings', () => {
    const longest = `0.${'1'.repeat(1022)}`;
    expect(numberText(parseJson(longest) as never)).toBe(longest);
    expect(parseJson(`["${'1'.repeat(5000)}",1]`)).toEqual(['1'.repeat(5000), 1]);
    expect(numberText((parseJson(`[${longest}]`) as never)[0])).toBe(longest);
  });

  test('gives the values that were written', () => {
    // JSON.stringify writes -0 as 0.
    const written = fc.json().map((text): unknown => JSON.parse(text));
    fc.assert(
      fc.property(written, (value) => {
        expect(parseJson(JSON.stringify(value))).toEqual(value);
      }),
    );
  });

  // JSON.parse itself gives the second text the name of the first: https://github.com/nodejs/node/issues/63785.
  test.each([
    ['\\\\', '\\"', '"'],
    ['\\\\', '\\n', '\n'],
    ['\\\\', '\\u00e9', 'é'],
    ['\\\\', '\\/', '/'],
    ['\\\\u0', '\\u00e9t\\u00e9', 'été'],
    ['~\\\\', '~\\"', '~"'],
    ['a\\\\u', 'a\\ud83d\\ude00', 'a😀'],
    ['\\\\u005f_p', '\\u005f_pr\\u006fto__', '__proto__'],
  ])('reads a name as it is written, whatever name was read before: %s, then %s', (before, escaped, name) => {
    for (const number of ['1', '1.0']) {
      const first = `before ${encodeURIComponent(escaped)} ${number}`;
      JSON.parse(`{"${first}":1,"${before}":${number}}`);
      const value = parseJson(`[{ "${first}" : 1 , "${escaped}" : ${number} }, { "~" : "\\"~" }]`);
      expect(JSON.stringify(value)).toBe(`[{"${first}":1,${JSON.stringify(name)}:${number}},{"~":"\\"~"}]`);
    }
  });

  test('needs escaped-names.ts only as long as JSON.parse confuses names', () => {
    JSON.parse('{"confused":1,"\\\\":1}');
    expect(JSON.parse('{"confused":1,"\\"":1}'), 'JSON.parse is right now: delete escaped-names.ts').not.toEqual({
      confused: 1,
      '"': 1,
    });
  });

  test.each([' 1.0', '1.0 ', '\n\t1e3', ' -0', '12.50\r\n', ' 12345678901234567890', ' 0.0000001'])(
    'keeps the digits of the number %j with spaces around it',
    (text) => {
      expect(JSON.stringify(parseJson(`[1,${text}]`))).toBe(`[1,${text.trim()}]`);
      expect(JSON.stringify(parseJson(`{"a":${text}}`))).toBe(`{"a":${text.trim()}}`);
    },
  );

  test('takes the last of keys that repeat', () => {
    expect(parseJson('{"a":1.0,"a":{"b":1},"a":2}')).toEqual({ a: 2 });
    expect(JSON.stringify(parseJson('{"a":[1,2.0],"a":{"b":1.0}}'))).toBe('{"a":{"b":1.0}}');
  });

  test.each([
    ['{"\\"":1,"a":2,"\\u0022":3}', '{"\\"":3,"a":2}'],
    ['{"\\u0031":1,"b":2,"1":3,"~":4,"\\u007e":5}', '{"1":3,"b":2,"~":5}'],
    ['{"\\ud800":1,"\\uD800":2}', '{"\\ud800":2}'],
  ])('takes the last of keys that repeat in another notation: %s', (text, expected) => {
    expect(JSON.stringify(parseJson(text))).toBe(expected);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('takes a key called %s as data', (name) => {
    for (const number of ['1', '1.0']) {
      const value = parseJson(`{"${name}":{"x":${number}}}`) as JsonObject;
      expect(Object.keys(value)).toEqual([name]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(JSON.stringify(value)).toBe(`{"${name}":{"x":${number}}}`);
    }
  });

  test('keeps lone surrogates and NUL for the rules on strings to judge', () => {
    expect(parseJson('"\\ud800"')).toBe('\ud800');
    expect(parseJson('"a\\u0000b"')).toBe('a\u0000b');
  });

  test.each([
    ...['', ' ', '{', '[1,]', "{'a':1}", '01', '1.', '.5', '+1', 'NaN', 'Infinity', '"a'],
    ...['\ufeff{}', '{} {}', '[1.0,]', '\\', '\\"a":1', '{"\\x":1}', '{"\\":1}', '{"\\"\n":1}', '{"\\"', '{"\\"":'],
    ...['{"a" \\"b":1}', '{"\\"":\\"b":1}', '{"\\""\u00a0:1}', '{"a"~\\"":1}'],
  ])('refuses %j', (text) => {
    const error = { name: 'MalformedJson', message: 'not well-formed JSON' };
    expect(() => parseJson(text)).toThrow(expect.objectContaining(error));
  });

  test.each(['1e400', '-1e400', '9'.repeat(400), '[1,{"a":1e999}]'])(
    'refuses numbers beyond a double: %.20s',
    (text) => {
      expect(() => parseJson(text)).toThrow('a number is beyond the range of a double');
    },
  );

  test('takes a thousand levels of nesting and no more, however deep the text goes on', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJson(nested(maxDepth))).not.toThrow();
    expect(() => parseJson(nested(maxDepth + 1))).toThrow(MalformedJson);
    expect(() => parseJson(`${'{"a":'.repeat(10_000)}1.0${'}'.repeat(10_000)}`)).toThrow(MalformedJson);
    expect(() => parseJson('['.repeat(2_000_000))).toThrow(MalformedJson);
  });

  test.each([
    ['objects', '{"a":', '}'],
    ['lists after other values', '[1,"ab","a","",', ']'],
  ])('takes a thousand levels of %s and no more', (_, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    expect(() => parseJson(nested(maxDepth))).not.toThrow();
    expect(() => parseJson(nested(maxDepth + 1))).toThrow(`nested deeper than ${maxDepth} levels`);
  });

  test.each(['[]', '{}', '[{}]', '{"a":[]}'])('takes thousands of values like %s beside each other', (value) => {
    expect(parseJson(`[${Array(2000).fill(value).join(',')}]`)).toHaveLength(2000);
  });

  test.each(['""', '"a"', '"ab"', '"\\""', '"\\\\"', '"\\u0041"'])('keeps its limits after the string %s', (string) => {
    const message = 'a number is longer than 1024 characters';
    expect(() => parseJson(`[${string},${'1'.repeat(1025)}]`)).toThrow(message);
    expect(() => parseJson(`{${string}:${'1'.repeat(1025)}}`)).toThrow(message);
    expect(parseJson(`[${string},"[{1"]`)).toHaveLength(2);
  });

  test('does not take brackets within strings for nesting', () => {
    const text = JSON.stringify('[{"\\'.repeat(2_000));
    expect(parseJson(text)).toBe('[{"\\'.repeat(2_000));
  });
});

describe('telling values apart', () => {
  test('a number kept as text is no object', () => {
    const raw = parseJson('1.0');
    expect(isRawNumber(raw)).toBe(true);
    expect(isJsonObject(raw)).toBe(false);
  });

  test('an object that looks like one is an object', () => {
    const object = parseJson('{"rawJSON":"1"}');
    expect(isRawNumber(object)).toBe(false);
    expect(isJsonObject(object)).toBe(true);
  });

  test.each([[null], [[]], ['a'], [1], [true], [undefined]])('%j is no object', (value) => {
    expect(isJsonObject(value)).toBe(false);
  });
});

describe('two scalars', () => {
  const [one, same, other] = parseJson('[1.10, 1.10, 1.100]') as [number, number, number];

  test.each([
    [one, same, true],
    [one, other, false],
    [one, 1.1, false],
    [1.1, one, false],
    [one, null, false],
    ['a', 'a', true],
    ['a', 'b', false],
    [undefined, undefined, true],
    [undefined, one, false],
  ])('%# are the same: %s', (a, b, isSame) => {
    expect(isSameScalar(a, b)).toBe(isSame);
  });
});

test('a member named __proto__ can be changed and removed like any other', () => {
  const target: Record<string, number> = {};
  for (const value of [1, 2]) setMember(target, '__proto__', value);
  expect(Object.entries(target)).toEqual([['__proto__', 2]]);
  expect(Reflect.set(target, '__proto__', 3)).toBe(true);
  expect(Object.entries(target)).toEqual([['__proto__', 3]]);
  expect(Reflect.deleteProperty(target, '__proto__')).toBe(true);
});

describe('the canonical number', () => {
  test.each([
    ['12.50', 12.5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['-0', 0],
    ['-0.0', 0],
    ['0e5', 0],
    ['1.0', 1],
    ['-1.10', -1.1],
    ['100000000000000000000', 100000000000000000000],
    ['0.00000010', 1e-7],
    ['5.0e-324', 5e-324],
  ])('of %s is a plain number', (text, expected) => {
    const value = canonicalNumber(parseJson(text) as number);
    expect(Object.is(value, expected)).toBe(true);
  });

  test('of negative zero is zero', () => {
    expect(Object.is(canonicalNumber(-0), 0)).toBe(true);
  });

  test.each(['12345678901234567', '12345678901234567890', '0.12345678901234567890123', '1e-400', '4e-324'])(
    'of %s, which no double holds, is its text',
    (text) => {
      expect(JSON.stringify(canonicalNumber(parseJson(text) as number))).toBe(text);
    },
  );

  test('always has the value that was written', () => {
    fc.assert(
      fc.property(numberLiteral, (text) => {
        const value = canonicalNumber(parseJson(text) as number);
        expect(decimalOf(numberText(value))).toEqual(decimalOf(text));
      }),
      { numRuns: 500 },
    );
  });
});

/** The exact value as a whole number and a power of ten. */
function decimalOf(text: string): [bigint, number] {
  const [mantissa = '', exponent = '0'] = text.split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(whole.replace('-', '') + fraction) * (whole.startsWith('-') ? -1n : 1n);
  let power = Number(exponent) - fraction.length + 0;
  if (digits === 0n) return [0n, 0];
  while (digits % 10n === 0n) {
    digits /= 10n;
    power++;
  }
  return [digits, power];
}

test.each([
  ['0', ['', 0]],
  ['0.00e5', ['', 0]],
  ['-120', ['12', 1]],
  ['1.20e3', ['12', 2]],
  ['0.012E-4', ['12', -7]],
])('%s has the digits and exponent %j', (text, parts) => {
  expect(scientific(text)).toEqual(parts);
});

test.each<[string, number, number]>([
  ['{"a":1,}', 1, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\r\n  "a": tru\r\n}', 2, 11],
  ['{"a": "no end', 1, 14],
  ['{\n  "a": [1, 2\n', 3, 1],
  ['{"a": "a line\nbreak"}', 1, 14],
  ['{"a":1}}', 1, 8],
  ["{'a':1}", 1, 2],
  ['', 1, 1],
])('%j is broken at line %i, column %i', (text, line, column) => {
  expect(jsonErrorPosition(text)).toEqual({ line, column });
});

test('a document of some size is searched quickly', () => {
  const text = `{"a": [${'{"b": "text"},\n'.repeat(20_000)} oops]}`;
  expect(jsonErrorPosition(text)).toEqual({ line: 20_001, column: 2 });
});

test.each(['{}', '[1]', '"text"', ' 1 '])('%s is JSON', (text) => {
  expect(jsonErrorPosition(text)).toBeUndefined();
});
