import { expect, test } from 'vitest';
import { endingCall, footer, pageCall, support, theme } from '../../../bin/content/open-fields.ts';
import { blockKinds, option, question, unknownBlock } from '../../../lib/domain/campaigns/block-types.ts';
import { objectErrors, shapeErrors } from './content-shapes.ts';

const objects = { endingCall, support, theme, ...blockKinds, option, question, unknownBlock };
test.each(Object.entries(objects))('the declarations of fields have no error: %s', (name, shape) => {
  expect(objectErrors(shape, name)).toEqual([]);
});

test.each(Object.entries({ footer, pageCall }))('the declarations of fields have no error: %s', (name, shape) => {
  expect(shapeErrors(shape, name)).toEqual([]);
});
