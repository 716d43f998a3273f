import { describe, expect, test } from 'vitest';
import { markedPure, withoutResponses } from '../../infra/unused-constants.ts';

const marked = (value: string) => `/* @__PURE__ */ (() => ${value})()`;

describe('a constant whose value is computed', () => {
  test('is marked as pure', () => {
    expect(markedPure('const a = text().optional();\n')).toBe(`const a = ${marked('text().optional()')};\n`);
    expect(markedPure('export const a = z.string();')).toBe(`export const a = ${marked('z.string()')};`);
  });

  test('is marked as a whole, with the statements of the functions in it', () => {
    const value = 'z.preprocess((sent) => {\n  const own = read(sent);\n  return own;\n}, z.string())';
    expect(markedPure(`const a = ${value};\nconst b = 1;\n`)).toBe(`const a = ${marked(value)};\nconst b = 1;\n`);
  });

  test('is marked as a whole, if calls follow on a call of several lines', () => {
    const value = 'z.preprocess(\n  (sent) => sent,\n  z.string()\n).meta({\n  id: "a"\n})';
    expect(markedPure(`const a = ${value};\n`)).toBe(`const a = ${marked(value)};\n`);
  });

  test.each([
    ['spreads', '{ not: [...others] }', '({ not: [...others] })'],
    ['reads a property', 'z.ZodError', 'z.ZodError'],
    ['fills in a template', `\`is \${name}\``, `\`is \${name}\``],
  ])('is marked if it %s', (_, value, wrapped) => {
    expect(markedPure(`const a = ${value};\n`)).toBe(`const a = ${marked(wrapped)};\n`);
  });

  test('is marked if it is an object that contains calls', () => {
    const value = '{\n  id: uuid(),\n  name: z.string()\n}';
    expect(markedPure(`const a = ${value};\n`)).toBe(`const a = ${marked(`(${value})`)};\n`);
  });
});

describe('unchanged', () => {
  test.each([
    ['a value without calls', 'const a = { limit: 20 };\n'],
    ['a function', 'const a = (value) => read(value);\nconst b = async (value) => {\n  await read(value);\n};\n'],
    ['what waits', 'const a = await read();\n'],
    ['a statement', 'read();\nlet a = read();\n'],
    ['a constant in a function', 'function a() {\n  const b = read();\n  return b;\n}\n'],
  ])('is %s', (_, code) => {
    expect(markedPure(code)).toBe(code);
  });

  test('is a module with a text of several lines, which can look like statements', () => {
    const code = 'const a = read();\nconst script = `\nconst b = read();\n`;\n';
    expect(markedPure(code)).toBe(code);
  });
});

test('the responses of contracts are left out, and their lines stay for the source map', () => {
  const contract = (responses: string) =>
    `const a = contract({\n  id: "a",\n  responses: ${responses},\n  tag: { responses: 1 }\n});\n`;
  expect(withoutResponses(contract('{ 200: { description: "A" } }'))).toBe(contract('{}'));
  expect(withoutResponses(contract('{\n    200: {\n      description: "A"\n    }\n  }'))).toBe(contract('{\n\n\n\n}'));
});
