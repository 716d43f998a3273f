import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { marks, PersonWorld } from '../../support/operations/person-world.ts';

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

describe('the list of erasures', () => {
  const texts = () => {
    const folder = world.erasures.folder;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
    return files.map((name) => readFileSync(join(folder, name), 'utf8'));
  };

  test('has one entry of an erasure, which contains only ids', async () => {
    await world.fill(2);
    await world.erase();
    const [text, ...more] = texts();
    expect(more).toEqual([]);
    expect(JSON.parse(text!)).toMatchObject({ format: 1, team_id: world.teamId, contact_id: world.contactId });
    expect(Object.values(marks).filter((mark) => text!.includes(mark))).toEqual([]);
  });

  test('has no entry of an erasure that found nothing', async () => {
    await world.erase('nobody');
    expect(texts()).toEqual([]);
  });
});
