import { expect, test } from 'vitest';
import { addStack, type Flame, flamePicture } from '../../bench/calls/flame.ts';

const flameOf = (...stacks: [string[], number][]): Flame => {
  const root: Flame = { name: 'other', time: 0, children: new Map() };
  for (const [stack, time] of stacks) addStack(root, stack, time);
  return root;
};

test('a part has the time of what it calls', () => {
  const root = flameOf([['a'], 1], [['a', 'b'], 2], [['b'], 3], [[], 4]);
  expect(root.time).toBe(10);
  expect([...root.children.values()].map(({ name, time }) => [name, time])).toEqual([
    ['a', 3],
    ['b', 3],
  ]);
  expect(root.children.get('a')!.children.get('b')!.time).toBe(2);
});

test('the picture shows the share of each part, below the part that calls it, and leaves out the smallest', () => {
  const picture = flamePicture('Calls', flameOf([['ours', 'zod'], 500], [['logger'], 499], [['middy'], 1]));
  const bars = [...picture.matchAll(/<title>(.+?), (.+?) %<\/title><rect x="(.+?)" y="(.+?)" width="(.+?)"/g)];
  expect(bars.map((bar) => bar.slice(1))).toEqual([
    ['ours', '50.0', '0.0', '44', '450.0'],
    ['zod', '50.0', '0.0', '66', '450.0'],
    ['logger', '49.9', '450.0', '44', '449.1'],
  ]);
});
